import type { IdentityServices } from '../../accounts/identity-services.ts';
import { identityStand } from '../../accounts/identity-stand.fixture.ts';
import type { ProjectSettings } from '../../accounts/project-settings.ts';
import type { ThrottleLimits } from '../../accounts/throttling/throttle-limits.ts';
import { AuditLog } from '../../audit/audit-log.ts';
import type { AuditEvent } from '../../audit/audit-trail.ts';
import { memoryBooks, TestClock } from '../../books/memory-books.fixture.ts';
import { createLogger } from '../../ops/logger.ts';
import type { TokenServices } from '../../tokens/token-services.ts';
import { unsignedTokenServices } from '../../tokens/unsigned-token-services.ts';
import { openLoopbackClient } from '../loopback-client.fixture.ts';
import { createMemoryServer } from '../memory-server.fixture.ts';
import { LOCAL_TRANSPORT } from '../transport.ts';
import type { AdminVerifier } from './admin-verifier.ts';
import { emulatorAdmins } from './emulator-admins.ts';
import type { BodyLimits } from './identity-bodies.ts';
import { IdentityHttp } from './identity-http.ts';
import { DEVELOPMENT_ROUTES } from './identity-routes.ts';

/** What an answer of the interface says. */
export interface IdentityAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** `{}` when the answer is no JSON. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The message of a refusal, or `undefined`. */
  readonly error: string | undefined;
}

/** What is to be otherwise than in development mode. */
interface ClientChange {
  readonly isDevelopment?: boolean;
  readonly admins?: AdminVerifier;
  readonly limits?: ThrottleLimits;
  readonly bodyLimits?: BodyLimits;
}

type Body = Readonly<Record<string, unknown>>;

/** A client of the interface of identity over real sockets; its server is in memory, of development mode. */
export class IdentityClient {
  readonly services: IdentityServices;
  readonly audited: readonly AuditEvent[];
  readonly clock: TestClock;
  readonly port: number;
  readonly #send: (
    method: string,
    url: string,
    body: string | undefined,
    headers: Readonly<Record<string, string>>,
  ) => Promise<IdentityAnswer>;

  private constructor(
    stand: ReturnType<typeof identityStand>,
    clock: TestClock,
    port: number,
    send: typeof IdentityClient.prototype.request,
  ) {
    this.services = stand.services;
    this.audited = stand.audited;
    this.clock = clock;
    this.port = port;
    this.#send = send;
  }

  /** Until the test has finished. */
  static async open(
    tokens: TokenServices = unsignedTokenServices,
    { admins = emulatorAdmins, limits, bodyLimits, ...change }: ClientChange = {},
  ): Promise<IdentityClient> {
    const clock = new TestClock();
    const books = memoryBooks(clock);
    const logger = createLogger('info', { write: () => undefined });
    const audit = new AuditLog({ books, clock, logger });
    const { services, audited } = identityStand({
      clock,
      books,
      tokens,
      audit,
      ...(limits === undefined ? {} : { limits }),
    });
    const stand = { audited, services: { ...services, ...change } };
    const identity = new IdentityHttp({
      services: stand.services,
      admins,
      routes: DEVELOPMENT_ROUTES,
      transport: LOCAL_TRANSPORT,
      exchange: null,
      logger,
      defaultProject: 'demo',
      ...(bodyLimits === undefined ? {} : { bodyLimits }),
    });
    const { server, serve } = createMemoryServer({ identity, audit });
    serve();
    const client = await openLoopbackClient(server);
    return new IdentityClient(stand, clock, client.port, async (method, url, body, headers = {}) => {
      const answer = await client.send({
        method,
        url,
        body,
        headers: { host: 'localhost:9000', 'content-type': 'application/json', ...headers },
      });
      return readAnswer(answer.status, answer.headers, answer.body);
    });
  }

  request(
    method: string,
    url: string,
    body?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<IdentityAnswer> {
    return this.#send(method, url, body, headers);
  }

  /** As an app: `accounts:signUp` stands for `/v1/accounts:signUp`. */
  post(method: string, body: Body = {}): Promise<IdentityAnswer> {
    return this.request('POST', `${urlOf(method)}?key=any`, JSON.stringify(body));
  }

  /** As an administrator of the project. */
  admin(method: string, body: Body = {}): Promise<IdentityAnswer> {
    return this.request('POST', urlOf(method), JSON.stringify(body), { authorization: 'Bearer owner' });
  }

  /** Changes the settings of the project. */
  async settings(change: (settings: ProjectSettings) => ProjectSettings): Promise<void> {
    await this.services.projects.change('demo', change);
  }

  /** A new account with an address and a password, signed in. */
  async signUp(email = 'ann@example.com', password = 'password'): Promise<Body> {
    const { json } = await this.post('accounts:signUp', { email, password });
    return json;
  }

  /** Exchanges a refresh token. */
  refresh(refreshToken: unknown): Promise<IdentityAnswer> {
    return this.post('token', { grantType: 'refresh_token', refreshToken });
  }

  /** The account that an ID token stands for, as `accounts:lookup` shows it. */
  async lookup(idToken: unknown): Promise<Body> {
    const { json } = await this.post('accounts:lookup', { idToken });
    const users: unknown = json['users'];
    return Array.isArray(users) ? users[0] : {};
  }
}

function urlOf(method: string): string {
  return method.startsWith('/') ? method : `/v1/${method}`;
}

function readAnswer(
  status: number,
  headers: Readonly<Record<string, unknown>>,
  text: string,
): IdentityAnswer {
  const isJson = String(headers['content-type']).startsWith('application/json');
  const json: Record<string, unknown> = isJson ? JSON.parse(text) : {};
  const error = Object(json['error'])['message'];
  return { status, headers, json, text, error };
}

/** What a token says. */
export function claimsOf(token: unknown): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString());
}
