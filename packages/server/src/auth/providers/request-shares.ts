import type { HttpSend } from '../../platform/network/http-send.ts';
import { AuthOverload } from '../errors.ts';
import { ProjectPlaces } from '../throttling/project-places.ts';

/** Maximum number of concurrent requests to providers. Requests for provider documents have a limit of their own. */
const MAX_REQUESTS = 96;
/** Maximum number of these for one project. */
const MAX_REQUESTS_OF_PROJECT = 64;
/** Maximum number of these for the clients of one network. */
const MAX_REQUESTS_OF_NETWORK = 16;
/** Age from which a request can be ended for a network that has fewer requests, in ms. */
const MAX_SLOW_MS = 1_000;
/** Time after which a rejected client may try again, in s. */
const BUSY_SEC = 5;

/** The client and the project for which the server sends a request to a provider. */
export interface RequestCause {
  /** The network of the client. `MANY_CLIENTS` has no share. */
  readonly network: string;
  readonly projectId: string;
}

/**
 * Divides the requests to providers among networks and projects. Otherwise one client, or one project with a slow
 * provider, could use up the requests of all. At the limit, the network with the most requests loses its oldest one.
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

  /** Returns a function that sends requests for `cause`. It rejects with an `AuthOverload` if the shares are used up. */
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
