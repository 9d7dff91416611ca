import { Agent, type AgentOptions } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { parseHearthAddress } from '../address.ts';
import { type AccessToken, fetchAccessToken, type TokenSubject } from './access-token.ts';

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
class GoogleHostsAgent extends Agent {
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

/** The part of firebase-admin's `Credential` that every kind has. */
interface Credential {
  getAccessToken(): Promise<AccessToken>;
}

/** Where an Admin SDK finds its server, and as whom it goes there. */
export interface HearthAdminOptions<C extends Credential> {
  /** `https://` and the server's host, with a port if it is not 443. */
  readonly url: string;
  /** What firebase-admin's `cert` makes of a service account of the project. */
  readonly credential: C;
  /** Certificates in PEM to trust instead of those of the system. */
  readonly ca?: string | Buffer;
}

/** Options for firebase-admin's `initializeApp`. */
export interface HearthAdminApp<C extends Credential> {
  readonly projectId: string;
  readonly databaseURL: string;
  readonly credential: C;
  readonly httpAgent: GoogleHostsAgent;
}

/** Variables that make firebase-admin leave the server aside; under the first it also takes tokens that nobody signed. */
const EMULATOR_VARIABLES = ['FIREBASE_AUTH_EMULATOR_HOST', 'FIREBASE_DATABASE_EMULATOR_HOST'] as const;

/**
 * Makes the options with which firebase-admin talks to the Hearth server at `url`, over TLS: calls about accounts, access
 * tokens, the keys that tokens are verified with, and the project's default database. Throws if an emulator variable is set, if
 * the address is not https, or if the credential is not one of a service account.
 */
export function hearthAdmin<C extends Credential>(options: HearthAdminOptions<C>): HearthAdminApp<C> {
  rejectEmulators();
  const { scheme, origin } = parseHearthAddress(options.url);
  if (scheme !== 'https') {
    throw new TypeError(
      `${options.url} is not https: use https, or the emulator variables with a development server.`,
    );
  }
  const { projectId, ...subject } = readServiceAccount(options.credential);
  const httpAgent = new GoogleHostsAgent(findTarget(origin, options.ca));
  // firebase-admin keeps one credential per service account: another app must not find it changed.
  const credential: C = Object.create(options.credential, {
    getAccessToken: { value: () => fetchAccessToken(origin, subject, httpAgent) },
  });
  return { projectId, databaseURL: `${origin}?ns=${projectId}-default-rtdb`, credential, httpAgent };
}

function rejectEmulators(): void {
  const name = EMULATOR_VARIABLES.find((variable) => (process.env[variable] ?? '') !== '');
  if (name === undefined) return;
  throw new Error(
    `${name} is set, with which firebase-admin would not talk to this server and could accept tokens that nobody signed: unset it, or leave out hearthAdmin in development.`,
  );
}

function findTarget(origin: string, ca: string | Buffer | undefined): AgentTarget {
  const { hostname, port } = new URL(origin);
  const target = { hostname: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 443 : Number(port) };
  return ca === undefined ? target : { ...target, ca };
}

/** The members of a service account's credential, which its published type leaves out. */
function readServiceAccount(credential: Credential): TokenSubject & { readonly projectId: string } {
  const { projectId, clientEmail, privateKey }: Credential & Readonly<Record<string, unknown>> = {
    ...credential,
  };
  if (typeof projectId === 'string' && typeof clientEmail === 'string' && typeof privateKey === 'string') {
    return { projectId, clientEmail, privateKey };
  }
  throw new TypeError(
    'The credential is not one of a service account: make it with cert() of firebase-admin/app. If it was, this version of firebase-admin is not supported.',
  );
}
