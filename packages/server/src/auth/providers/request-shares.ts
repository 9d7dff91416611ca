import type { HttpSend } from '../../platform/network/http-send.ts';
import { AuthOverload } from '../errors.ts';
import { ProjectPlaces } from '../throttling/project-places.ts';

/**
 * Maximum number of requests to providers at a time, of those of one project, and of those that the clients of one network
 * cause. Documents have places of their own.
 */
const MAX_REQUESTS = 96;
const MAX_REQUESTS_OF_PROJECT = 64;
const MAX_REQUESTS_OF_NETWORK = 16;
/** Time after which a request can be ended for another of the same network, in ms. */
const MAX_SLOW_MS = 1_000;
const BUSY_SEC = 5;

/** Who causes a request to a provider. */
export interface RequestCause {
  /** The network of the client. `MANY_CLIENTS` has no share. */
  readonly network: string;
  readonly projectId: string;
}

/**
 * Divides the requests to providers among networks and projects. Otherwise one client, or one project with a provider that
 * answers slowly, could use up the requests of all. If there are too many, the network with the most loses the one that
 * takes longest.
 */
export class RequestShares {
  readonly #send: HttpSend;
  readonly #places: ProjectPlaces;

  /** `nowMs` is a monotonic clock. */
  constructor(send: HttpSend, nowMs: () => number) {
    this.#send = send;
    const limits = {
      reserve: 0,
      ofNetwork: MAX_REQUESTS_OF_NETWORK,
      idleMs: MAX_SLOW_MS,
      isAge: true,
    } as const;
    this.#places = new ProjectPlaces({
      all: { ...limits, total: MAX_REQUESTS },
      ofProject: { ...limits, total: MAX_REQUESTS_OF_PROJECT },
      nowMs,
    });
  }

  /** Returns a function that sends requests within the shares of their cause, and throws an `AuthOverload` beyond them. */
  sendFor({ network, projectId }: RequestCause): HttpSend {
    return async (url, request, signal) => {
      const ended = new AbortController();
      const place = this.#places.take(projectId, { network, isPrivileged: false }, () => ended.abort());
      if (place === undefined) throw new AuthOverload(BUSY_SEC);
      const either = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
      try {
        return await this.#send(url, request, either);
      } catch (cause) {
        throw ended.signal.aborted ? new AuthOverload(BUSY_SEC) : cause;
      } finally {
        place.release();
      }
    };
  }
}
