import type { Socket } from 'node:net';
import { clearInterval, setInterval } from 'node:timers';
import type { Lease } from '../platform/lease.ts';
import type { ResourcePool } from '../platform/resource-pool.ts';

/** Interval at which the server checks whether each connection has carried bytes, in ms. */
const SWEEP_MS = 10_000;

/** Number of steps of one interval. To check all connections in one step would block the server. */
const SWEEP_STEPS = 100;

interface OpenConnection {
  readonly lease: Lease;
  /** Bytes in both directions at the last sweep. */
  bytes: number;
}

/**
 * Admits connections to the port within the limits of a pool, and closes the connections that the pool evicts. A
 * connection makes progress while it carries bytes, which include answers to pings.
 */
export class ConnectionGuard implements Disposable {
  readonly #pool: ResourcePool;
  readonly #networkOf: (socket: Socket) => string;
  readonly #open = new Map<Socket, OpenConnection>();
  /** The connections that the next steps check. */
  #next = this.#open.entries();
  readonly #timer: NodeJS.Timeout;

  /** `networkOf` returns the network of a peer. */
  constructor(pool: ResourcePool, networkOf: (socket: Socket) => string) {
    this.#pool = pool;
    this.#networkOf = networkOf;
    const step = (): void => this.sweep(Math.ceil(this.#open.size / SWEEP_STEPS));
    this.#timer = setInterval(step, SWEEP_MS / SWEEP_STEPS);
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** Admits a connection once, or closes it immediately if the limits do not allow it. */
  admit(socket: Socket): void {
    if (this.#open.has(socket)) return;
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

  /** Checks the next `count` connections, and records the progress of those that have carried bytes. */
  sweep(count = this.#open.size): void {
    for (let left = count; left > 0; left--) {
      const next = this.#next.next();
      if (next.done === true) {
        this.#next = this.#open.entries();
        if (this.#open.size === 0) return;
        left += 1;
      } else recordBytes(...next.value);
    }
  }
}

function recordBytes({ bytesRead, bytesWritten }: Socket, connection: OpenConnection): void {
  const bytes = bytesRead + bytesWritten;
  if (bytes === connection.bytes) return;
  connection.bytes = bytes;
  connection.lease.recordProgress();
}
