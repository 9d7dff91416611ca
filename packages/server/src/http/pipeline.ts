import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Maximum number of concurrent requests on one connection. Node starts all requests that arrive in one
 * packet, however large their responses are and whether or not the client reads any.
 */
export const MAX_PIPELINED = 8;

/** Counts the requests in progress on each connection. */
export class Pipeline {
  readonly #counts = new Map<Socket, number>();
  #isEnding = false;

  /**
   * Registers a request until its response is closed. Returns `false` if its connection already has
   * `MAX_PIPELINED` requests in progress.
   */
  enter(socket: Socket, response: ServerResponse): boolean {
    const count = this.#counts.get(socket) ?? 0;
    if (count >= MAX_PIPELINED) return false;
    this.#counts.set(socket, count + 1);
    response.on('close', () => this.#leave(socket));
    return true;
  }

  /** Makes each connection end with the last response in progress on it. */
  endConnections(): void {
    this.#isEnding = true;
  }

  #leave(socket: Socket): void {
    const count = (this.#counts.get(socket) ?? 1) - 1;
    if (count > 0) {
      this.#counts.set(socket, count);
      return;
    }
    this.#counts.delete(socket);
    if (this.#isEnding) socket.destroySoon();
  }
}
