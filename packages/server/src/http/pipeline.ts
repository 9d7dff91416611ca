import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Requests of one connection that may be under way together. The platform starts all that have come in one packet, however
 * large their answers are and whether or not the client reads any.
 */
export const MAX_PIPELINED = 8;

/** Counts the requests under way on each connection. */
export class Pipeline {
  readonly #counts = new WeakMap<Socket, number>();

  /** Takes a request, until its response is closed; `false` when its connection has too many already. */
  enter(socket: Socket, response: ServerResponse): boolean {
    const count = this.#counts.get(socket) ?? 0;
    if (count >= MAX_PIPELINED) return false;
    this.#counts.set(socket, count + 1);
    response.on('close', () => this.#counts.set(socket, (this.#counts.get(socket) ?? 1) - 1));
    return true;
  }
}
