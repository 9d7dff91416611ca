import { Agent, type AgentOptions } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { parseHearthAddress } from '../address.ts';
import { type AccessToken, fetchAccessToken, type TokenSubject } from './access-token.ts';
import { trustInProcess } from './trust.ts';

/** The hosts to which firebase-admin sends requests about accounts, tokens and keys. */
const HOSTS: ReadonlySet<string> = new Set([
  'identitytoolkit.googleapis.com',
  'www.googleapis.com',
  'oauth2.googleapis.com',
  'iamcredentials.googleapis.com',
  'firebaseappcheck.googleapis.com',
]);

/**
 * The server that connections go to, and the certificates in PEM that are trusted for it; without `ca`, those
 * of the system.
 */
export interface AgentTarget {
  readonly hostname: string;
  readonly port: number;
  readonly ca?: string | Buffer;
}

/**
 * An agent that connects to one server instead of `HOSTS`, over TLS and with that server's own name. It connects
 * to every other host like a default agent. Requests keep their path and Host header.
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
    // TLS names only host names. For an IP address, the certificate is checked against the address.
    const servername = isIP(hostname) === 0 ? hostname : '';
    return { ...options, ...trust, host: hostname, port, servername };
  }
}

/** The members that all kinds of firebase-admin's `Credential` have. */
interface Credential {
  getAccessToken(): Promise<AccessToken>;
}

/** The server and the credential of an Admin SDK. */
export interface HearthAdminOptions<C extends Credential> {
  /** `https://` and the server's host, with a port if it is not 443. */
  readonly url: string;
  /** The result of firebase-admin's `cert` for a service account of the project. */
  readonly credential: C;
  /**
   * Certificates in PEM of a server whose certificate no public authority has signed. Requests about accounts trust
   * only these. The whole process trusts them too, because the database needs that.
   */
  readonly ca?: string | Buffer;
}

/** Options for firebase-admin's `initializeApp`. */
export interface HearthAdminApp<C extends Credential> {
  readonly projectId: string;
  readonly databaseURL: string;
  readonly credential: C;
  readonly httpAgent: GoogleHostsAgent;
}

/**
 * Variables that make firebase-admin ignore the server. With the first one, it also accepts unsigned tokens.
 */
const EMULATOR_VARIABLES = ['FIREBASE_AUTH_EMULATOR_HOST', 'FIREBASE_DATABASE_EMULATOR_HOST'] as const;

/**
 * Creates the options with which firebase-admin uses the Hearth server at `url`, over TLS, for accounts,
 * access tokens, the keys that verify tokens, and the project's default database. Throws if an emulator
 * variable is set, if `url` is not the https address of a server, if the credential does not belong to a service
 * account, or if `ca` has no certificate or this version of Node cannot trust it.
 */
export function hearthAdmin<C extends Credential>(options: HearthAdminOptions<C>): HearthAdminApp<C> {
  rejectEmulators();
  const { scheme, origin } = parseHearthAddress(options.url);
  if (scheme !== 'https') {
    throw new TypeError(
      `${options.url} is not https: use https, or set the emulator variables for a development server.`,
    );
  }
  const { projectId, ...subject } = readServiceAccount(options.credential);
  if (options.ca !== undefined) trustInProcess(options.ca);
  const httpAgent = new GoogleHostsAgent(findTarget(origin, options.ca));
  // firebase-admin shares one credential object between apps with the same service account, so the original
  // must not change.
  const credential: C = Object.create(options.credential, {
    getAccessToken: { value: () => fetchAccessToken(origin, subject, httpAgent) },
  });
  return { projectId, databaseURL: `${origin}?ns=${projectId}-default-rtdb`, credential, httpAgent };
}

function rejectEmulators(): void {
  const name = EMULATOR_VARIABLES.find((variable) => (process.env[variable] ?? '') !== '');
  if (name === undefined) return;
  throw new Error(
    `${name} is set, so firebase-admin would not use this server and might accept unsigned tokens: unset it, or omit hearthAdmin in development.`,
  );
}

function findTarget(origin: string, ca: string | Buffer | undefined): AgentTarget {
  const { hostname, port } = new URL(origin);
  const target = { hostname: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 443 : Number(port) };
  return ca === undefined ? target : { ...target, ca };
}

/** Returns the members of a service account's credential that its published type omits. Throws if one is missing. */
function readServiceAccount(credential: Credential): TokenSubject & { readonly projectId: string } {
  const { projectId, clientEmail, privateKey }: Credential & Readonly<Record<string, unknown>> = {
    ...credential,
  };
  if (typeof projectId === 'string' && typeof clientEmail === 'string' && typeof privateKey === 'string') {
    return { projectId, clientEmail, privateKey };
  }
  throw new TypeError(
    'The credential does not belong to a service account: create it with cert() of firebase-admin/app. If you did, this version of firebase-admin is not supported.',
  );
}
