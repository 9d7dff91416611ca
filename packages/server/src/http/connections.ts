import type { Socket } from 'node:net';
import { clearInterval, setInterval } from 'node:timers';
import type { Lease, ResourcePool } from '../platform/resource-pool.ts';

/** Interval at which the server looks which connections have carried bytes, in ms. */
const SWEEP_MS = 10_000;

interface OpenConnection {
  readonly lease: Lease;
  /** Bytes in both directions at the last sweep. */
  bytes: number;
}

/**
 * Admits connections to the port within the limits of a pool, and closes those that the pool gives up in favor of
 * others. A connection makes progress while bytes pass over it, which includes answers to pings.
 */
export class ConnectionGuard implements Disposable {
  readonly #pool: ResourcePool;
  readonly #networkOf: (socket: Socket) => string;
  readonly #open = new Map<Socket, OpenConnection>();
  readonly #timer: NodeJS.Timeout;

  /** `networkOf` returns the network of a peer; an empty text for a trusted proxy, which has no limit of its own. */
  constructor(pool: ResourcePool, networkOf: (socket: Socket) => string) {
    this.#pool = pool;
    this.#networkOf = networkOf;
    this.#timer = setInterval(() => this.sweep(), SWEEP_MS);
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** Closes the connection immediately if its network has too many. */
  admit(socket: Socket): void {
    const holder = { network: this.#networkOf(socket), isPrivileged: false };
    const lease = this.#pool.take(holder, 1, () => socket.destroy());
    if (lease === undefined) {
      socket.destroy();
      return;
    }
    this.#open.set(socket, { lease, bytes: 0 });
    socket.once('close', () => {
      this.#open.delete(socket);
      lease.release();
    });
  }

  /** Records progress of the connections that have carried bytes since the last call. */
  sweep(): void {
    for (const [{ bytesRead, bytesWritten }, connection] of this.#open) {
      const bytes = bytesRead + bytesWritten;
      if (bytes === connection.bytes) continue;
      connection.bytes = bytes;
      connection.lease.recordProgress();
    }
  }
}
