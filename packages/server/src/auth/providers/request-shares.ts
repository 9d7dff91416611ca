import type { HttpSend } from '../../platform/network/http-send.ts';
import { MANY_CLIENTS } from '../../platform/resource-pool.ts';
import { AuthOverload } from '../errors.ts';

/** Maximum number of requests to providers at a time that the clients of one network cause, and those of one project. */
const MAX_REQUESTS_OF_NETWORK = 16;
const MAX_REQUESTS_OF_PROJECT = 64;
const BUSY_SEC = 5;

/** Who causes a request to a provider. */
export interface RequestCause {
  /** The network of the client. `MANY_CLIENTS` has no share. */
  readonly network: string;
  readonly projectId: string;
}

/**
 * Divides the requests to providers among networks and projects. Otherwise one client, or one project with a provider that
 * answers slowly, could use up the requests of all.
 */
export class RequestShares {
  readonly #send: HttpSend;
  /** The number of requests that are running, by network and by project. */
  readonly #running = new Map<string, number>();

  constructor(send: HttpSend) {
    this.#send = send;
  }

  /** Returns a function that sends requests within the shares of their cause, and throws an `AuthOverload` beyond them. */
  sendFor({ network, projectId }: RequestCause): HttpSend {
    const shares = [
      { name: `project ${projectId}`, limit: MAX_REQUESTS_OF_PROJECT },
      ...(network === MANY_CLIENTS ? [] : [{ name: `network ${network}`, limit: MAX_REQUESTS_OF_NETWORK }]),
    ];
    return async (url, request, signal) => {
      if (shares.some(({ name, limit }) => this.#countOf(name) >= limit)) throw new AuthOverload(BUSY_SEC);
      for (const { name } of shares) this.#running.set(name, this.#countOf(name) + 1);
      try {
        return await this.#send(url, request, signal);
      } finally {
        for (const { name } of shares) this.#release(name);
      }
    };
  }

  #countOf(name: string): number {
    return this.#running.get(name) ?? 0;
  }

  #release(name: string): void {
    const left = this.#countOf(name) - 1;
    if (left === 0) this.#running.delete(name);
    else this.#running.set(name, left);
  }
}
