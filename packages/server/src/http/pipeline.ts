import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Requests of one connection that may be under way together. The platform starts all that have come in one packet, however
 * large their answers are and whether or not the client reads any.
 */
export const MAX_PIPELINED = 8;

/** Counts the requests under way on each connection. */
export class Pipeline {
  readonly #counts = new Map<Socket, number>();
  #isEnding = false;

  /** Takes a request, until its response is closed; `false` when its connection has too many already. */
  enter(socket: Socket, response: ServerResponse): boolean {
    const count = this.#counts.get(socket) ?? 0;
    if (count >= MAX_PIPELINED) return false;
    this.#counts.set(socket, count + 1);
    response.on('close', () => this.#leave(socket));
    return true;
  }

  /** From now on, a connection ends with the last answer that is under way on it. */
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
