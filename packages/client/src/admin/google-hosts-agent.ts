import { Agent, type AgentOptions } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';

/** The hosts that firebase-admin asks about accounts, and for tokens and keys. */
const HOSTS: ReadonlySet<string> = new Set([
  'identitytoolkit.googleapis.com',
  'www.googleapis.com',
  'oauth2.googleapis.com',
  'iamcredentials.googleapis.com',
]);

/** Where connections go instead, and the certificates (PEM) that are trusted there; without `ca` those of the system. */
export interface AgentTarget {
  readonly hostname: string;
  readonly port: number;
  readonly ca?: string | Buffer;
}

/**
 * Dials one server instead of those hosts, over TLS and under that server's own name; every other host it connects to as any
 * agent does. Requests keep their path and Host header.
 */
export class GoogleHostsAgent extends Agent {
  readonly #target: AgentTarget;

  constructor(target: AgentTarget) {
    super({ keepAlive: true });
    this.#target = target;
  }

  override createConnection(
    options: AgentOptions,
    onConnected?: (error: Error | null, connection: Duplex) => void,
  ): Duplex | null | undefined {
    return super.createConnection(this.#redirect(options), onConnected);
  }

  #redirect(options: AgentOptions): AgentOptions {
    const { hostname, port, ca } = this.#target;
    if (options.host !== hostname && !HOSTS.has(options.host ?? '')) return options;
    const trust = ca === undefined ? {} : { ca };
    // TLS names hosts, not addresses; a certificate is checked against the address then.
    const servername = isIP(hostname) === 0 ? hostname : '';
    return { ...options, ...trust, host: hostname, port, servername };
  }
}
