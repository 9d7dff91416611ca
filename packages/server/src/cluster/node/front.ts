import type { Socket } from 'node:net';
import { clearTimeout, setTimeout } from 'node:timers';
import { elapsedMs } from '../../platform/clock.ts';
import type { SecretKey } from '../../platform/secret-key.ts';
import { openLink } from './links.ts';

export interface FrontOptions {
  readonly key: SecretKey;
  /** Returns the address of the node that leads; `undefined` if none is known. */
  readonly findLeader: () => string | undefined;
  /** Takes the connection if this node leads. */
  readonly serve: (socket: Socket) => void;
}

/** How long a client's connection waits for a node that leads. An election takes two seconds. */
const MAX_WAIT_MS = 10_000;
const RETRY_MS = 100;

/** The response to a client that has waited in vain. Load balancers then choose another node. */
const UNAVAILABLE =
  'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 5\r\nContent-Length: 0\r\n\r\n';

/** The connections of clients to a node that does not lead. Passes their bytes to the one that does. */
export class Front implements Disposable {
  readonly #options: FrontOptions;
  readonly #sockets = new Set<Socket>();
  /** Links to the node that leads. */
  readonly #links = new Set<Socket>();
  /** Connections that wait for a node that leads, each with what lets it try again. */
  readonly #waiting = new Set<() => void>();
  #isServing = false;
  #isClosed = false;

  constructor(options: FrontOptions) {
    this.#options = options;
  }

  /** Takes a connection. Returns false if this node leads, and the caller should serve it. */
  take(socket: Socket): boolean {
    if (this.#isServing) return false;
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    const ignore = (): void => void socket.destroy();
    socket.on('error', ignore);
    void this.#pass(socket, () => socket.off('error', ignore));
    return true;
  }

  /** Called when this node begins to lead. */
  serve(): void {
    this.#isServing = true;
    this.tryAgain();
  }

  /** Called when this node lets another one lead. Connections that it accepts from now on wait for that one. */
  suspend(): void {
    this.#isServing = false;
  }

  /** Lets the connections that wait for a leader try again. Called when one is ready. */
  tryAgain(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /**
   * Ends all connections that this node passes on. Called when another node leads. The previous leader may be frozen or
   * without power, so that nothing else ends the links to it. Connections that wait for a leader continue to wait.
   */
  endConnections(): void {
    for (const link of this.#links) link.destroy();
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.endConnections();
    for (const socket of this.#sockets) socket.destroy();
  }

  #nextTry(): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(wake, RETRY_MS);
      this.#waiting.add(wake);
    });
  }

  async #pass(socket: Socket, beforeServing: () => void): Promise<void> {
    const client = socket.remoteAddress ?? '';
    const untilMs = elapsedMs() + MAX_WAIT_MS;
    while (elapsedMs() < untilMs) {
      if (socket.destroyed || this.#isClosed) return;
      if (this.#isServing) {
        this.#sockets.delete(socket);
        beforeServing();
        this.#options.serve(socket);
        return;
      }
      const address = this.#options.findLeader();
      const link =
        address === undefined
          ? undefined
          : await openLink({ key: this.#options.key, address, client }).catch(() => undefined);
      if (link !== undefined) {
        this.#links.add(link);
        link.once('close', () => this.#links.delete(link));
        connectBoth(socket, link);
        // Another node may have begun to lead while the link was opened.
        if (this.#isServing || this.#options.findLeader() !== address) link.destroy();
        return;
      }
      await this.#nextTry();
    }
    socket.end(UNAVAILABLE);
    socket.resume();
  }
}

/** Passes bytes in both directions. When one end closes, the other does. */
function connectBoth(client: Socket, link: Socket): void {
  link.on('error', () => link.destroy());
  // The last response may not have left yet.
  link.once('close', () => client.destroySoon());
  client.once('close', () => link.destroy());
  if (client.destroyed) link.destroy();
  client.setNoDelay(true);
  client.pipe(link);
  link.pipe(client);
}
