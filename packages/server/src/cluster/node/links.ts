import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { clearTimeout, setTimeout } from 'node:timers';
import { connect, createServer, type PSKCallbackNegotation, type TLSSocket, type TlsOptions } from 'node:tls';
import { addressLayers } from '../../platform/address-layers.ts';
import type { SecretKey } from '../../platform/secret-key.ts';

/**
 * A link carries the bytes of one client's connection from the node that has accepted it to the node that leads. Both
 * ends prove that they have the cluster's key: TLS with a pre-shared key, which also encrypts the link. The first line is
 * the client's address. The leader answers with one byte when it takes the connection.
 */
const IDENTITY = 'hearth';
const READY = Buffer.of(1);

/** Longest text of an IP address. */
const MAX_ADDRESS_CHARACTERS = 64;

/** Time within which both ends of a link must be ready. */
const OPENING_MS = 5_000;

/**
 * Maximum numbers of links that are not ready: of all peers together, and of one host. The limits of connections apply
 * to links that are ready. A node that is rejected tries again.
 */
const MAX_OPENING_LINKS = 2_048;
export const MAX_OPENING_LINKS_OF_HOST = 512;

/** Time without bytes after which the system asks whether the other machine is still there. */
const KEEP_ALIVE_MS = 10_000;

/** With this cipher, each link has a new key, so that the shared key alone does not decrypt recorded links. */
const TLS = { ciphers: 'ECDHE-PSK-CHACHA20-POLY1305', maxVersion: 'TLSv1.2' } as const;

export interface LinkServerOptions {
  readonly key: SecretKey;
  readonly host: string;
  readonly port: number;
  /** Returns whether this node leads and can serve clients. */
  readonly isServing: () => boolean;
  /** Serves the connection of a client. */
  readonly serve: (socket: Socket) => void;
}

/** Accepts links from other nodes. */
export class LinkServer implements Disposable {
  readonly #options: LinkServerOptions;
  readonly #server;
  readonly #links = new Set<TLSSocket>();
  /** For each peer whose link is not ready, by address and port, a function that stops counting it. */
  readonly #opening = new Map<string, () => void>();
  /** Number of these links for each host. */
  readonly #openingOfHost = new Map<string, number>();

  private constructor(options: LinkServerOptions) {
    this.#options = options;
    const psk = options.key.export();
    const tls: TlsOptions = {
      ...TLS,
      handshakeTimeout: OPENING_MS,
      pskCallback: (_socket, identity) => (identity === IDENTITY ? psk : null),
    };
    this.#server = createServer(tls, (link) => this.#accept(link));
    this.#server.on('connection', (socket: Socket) => this.#admit(socket));
    // The peer does not have the key, or has disconnected.
    this.#server.on('tlsClientError', (_error, socket) => socket.destroy());
  }

  /** Rejects with the system's error if the address cannot be bound. */
  static async listen(options: LinkServerOptions): Promise<LinkServer> {
    const links = new LinkServer(options);
    links.#server.listen({ host: options.host, port: options.port });
    await once(links.#server, 'listening');
    return links;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  [Symbol.dispose](): void {
    this.#server.close();
    for (const link of this.#links) link.destroy();
  }

  /** Rejects a connection before its handshake if too many links are not ready. */
  #admit(socket: Socket): void {
    const { host } = addressLayers(socket.remoteAddress ?? '');
    const peer = peerOf(socket);
    // An earlier connection had the same address and port, and is closed.
    this.#opening.get(peer)?.();
    const ofHost = this.#openingOfHost.get(host) ?? 0;
    if (this.#opening.size >= MAX_OPENING_LINKS || ofHost >= MAX_OPENING_LINKS_OF_HOST) {
      socket.destroy();
      return;
    }
    const release = (): void => {
      if (this.#opening.get(peer) !== release) return;
      this.#opening.delete(peer);
      const left = (this.#openingOfHost.get(host) ?? 0) - 1;
      if (left > 0) this.#openingOfHost.set(host, left);
      else this.#openingOfHost.delete(host);
    };
    this.#opening.set(peer, release);
    this.#openingOfHost.set(host, ofHost + 1);
    socket.once('close', release);
  }

  #accept(link: TLSSocket): void {
    this.#links.add(link);
    link.once('close', () => this.#links.delete(link));
    link.on('error', () => link.destroy());
    readFirstLine(link, (client) => {
      this.#opening.get(peerOf(link))?.();
      if (!this.#options.isServing()) {
        link.destroy();
        return;
      }
      // The server asks the socket for the address of its peer, which must be that of the client.
      Object.defineProperty(link, 'remoteAddress', { value: client });
      link.setNoDelay(true);
      link.setKeepAlive(true, KEEP_ALIVE_MS);
      link.write(READY);
      this.#options.serve(link);
    });
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Calls `done` with the first line. Destroys a link whose first line is late or too long. */
function readFirstLine(link: TLSSocket, done: (line: string) => void): void {
  let text = '';
  const timer = setTimeout(() => link.destroy(), OPENING_MS);
  const read = (): void => {
    const bytes: Buffer | null = link.read();
    if (bytes === null) return;
    text += bytes.toString('latin1');
    if (text.length > MAX_ADDRESS_CHARACTERS) link.destroy();
    else if (text.endsWith('\n')) {
      clearTimeout(timer);
      link.off('readable', read);
      done(text.slice(0, -1));
    }
  };
  link.on('readable', read);
  link.once('close', () => clearTimeout(timer));
}

export interface LinkTarget {
  readonly key: SecretKey;
  /** `<host>:<port>`; an IPv6 address is in brackets. */
  readonly address: string;
  /** The address of the client whose bytes the link carries. */
  readonly client: string;
}

/** Opens a link. Rejects if the other node cannot be reached, has another key, or does not lead. */
export function openLink({ key, address, client }: LinkTarget): Promise<TLSSocket> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const psk: PSKCallbackNegotation = { psk: key.export(), identity: IDENTITY };
  const link = connect({
    ...TLS,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port),
    pskCallback: () => psk,
    // The other node proves that it has the key. It has no certificate.
    checkServerIdentity: () => undefined,
  });
  link.setNoDelay(true);
  link.setKeepAlive(true, KEEP_ALIVE_MS);
  return new Promise((resolve, reject) => {
    const fail = (error?: Error): void => {
      clearTimeout(timer);
      link.destroy();
      reject(error ?? new Error(`The node at ${address} does not take connections.`));
    };
    const ended = (): void => fail();
    const timer = setTimeout(ended, OPENING_MS);
    const read = (): void => {
      const bytes: Buffer | null = link.read(READY.length);
      if (bytes === null) return;
      clearTimeout(timer);
      link.off('readable', read).off('error', fail).off('close', ended);
      resolve(link);
    };
    link.on('error', fail).on('close', ended).on('readable', read);
    link.once('secureConnect', () => link.write(`${client}\n`));
  });
}
