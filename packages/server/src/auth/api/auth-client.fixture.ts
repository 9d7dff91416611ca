import { createMemoryServer } from '../../app/memory-server.fixture.ts';
import { AuditLog } from '../../audit/log.ts';
import type { AuditEvent } from '../../audit/trail.ts';
import { BodyBudget } from '../../http/body-budget.ts';
import { openLoopbackClient } from '../../http/loopback-client.fixture.ts';
import { LOCAL_TRANSPORT } from '../../http/transport.ts';
import { createLogger } from '../../platform/logger.ts';
import type { HttpSend } from '../../platform/network/http-send.ts';
import { ResourcePool } from '../../platform/resource-pool.ts';
import { memoryRecordStore, TestClock } from '../../records/memory-records.fixture.ts';
import type { SmsLimits } from '../../sms/budgets.ts';
import { createTestAuth } from '../create-test-auth.fixture.ts';
import type { ProjectSettings } from '../projects/project.ts';
import { type AdminVerifier, emulatorAdmins } from '../roles/administrators.ts';
import type { AuthServices } from '../services.ts';
import type { ThrottleLimits } from '../throttling/limits.ts';
import type { TokenServices } from '../tokens/services.ts';
import { unsignedTokenServices } from '../tokens/unsigned-tokens.ts';
import { AuthApiHttp } from './handler.ts';
import { DEVELOPMENT_ROUTES } from './routes.ts';

/** A response of the Auth API. */
export interface AuthAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** `{}` when the response is not JSON. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The message of an error response, otherwise `undefined`. */
  readonly error: string | undefined;
}

/** Options of the server that differ from development mode. */
interface ClientChange {
  readonly isDevelopment?: boolean;
  readonly smsLimits?: SmsLimits;
  readonly admins?: AdminVerifier;
  readonly limits?: ThrottleLimits;
  /** Receives the requests to identity providers. */
  readonly sendToProvider?: HttpSend;
  readonly bodies?: { readonly totalBytes?: number; readonly deadlineMs?: number };
}

/** Creates a memory budget for the bodies of one server, of `totalBytes` bytes. */
export function bodyBudget(totalBytes = 67_108_864): BodyBudget {
  const limits = { total: totalBytes, reserve: 0, ofNetwork: totalBytes, idleMs: 5_000 };
  const pool = new ResourcePool(limits, () => performance.now());
  return new BodyBudget(pool, ({ socket }) => socket.remoteAddress ?? '');
}

type Body = Readonly<Record<string, unknown>>;

/** A client of the Auth API over real sockets. Its server runs in memory, in development mode. */
export class AuthClient {
  readonly services: AuthServices;
  readonly audited: readonly AuditEvent[];
  readonly clock: TestClock;
  readonly port: number;
  readonly #send: (
    method: string,
    url: string,
    body: string | undefined,
    headers: Readonly<Record<string, string>>,
  ) => Promise<AuthAnswer>;

  private constructor(
    testBed: ReturnType<typeof createTestAuth>,
    clock: TestClock,
    port: number,
    send: typeof AuthClient.prototype.request,
  ) {
    this.services = testBed.services;
    this.audited = testBed.audited;
    this.clock = clock;
    this.port = port;
    this.#send = send;
  }

  /** Starts the server and a client. Both end with the test. */
  static async open(
    tokens: TokenServices = unsignedTokenServices,
    { admins = emulatorAdmins, limits, smsLimits, sendToProvider, bodies = {}, ...change }: ClientChange = {},
  ): Promise<AuthClient> {
    const clock = new TestClock();
    const recordStore = memoryRecordStore(clock);
    const logger = createLogger('info', { write: () => undefined });
    const audit = new AuditLog({ recordStore, clock, logger });
    const { services, audited } = createTestAuth({
      clock,
      recordStore,
      tokens,
      audit,
      ...(limits === undefined ? {} : { limits }),
      ...(sendToProvider === undefined ? {} : { sendToProvider }),
    });
    const phones = smsLimits === undefined ? services.phones : { ...services.phones, limits: smsLimits };
    const testBed = { audited, services: { ...services, phones, ...change } };
    const authApi = new AuthApiHttp({
      services: testBed.services,
      admins,
      routes: DEVELOPMENT_ROUTES,
      transport: LOCAL_TRANSPORT,
      exchange: null,
      logger,
      defaultProject: 'demo',
      bodies: { budget: bodyBudget(bodies.totalBytes), ...bodies },
    });
    const { server, serve } = await createMemoryServer({ authApi, audit, auditReader: audit });
    serve();
    const client = await openLoopbackClient(server);
    return new AuthClient(testBed, clock, client.port, async (method, url, body, headers = {}) => {
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
  ): Promise<AuthAnswer> {
    return this.#send(method, url, body, headers);
  }

  /** Sends a request as an app. `accounts:signUp` means `/v1/accounts:signUp`. */
  post(method: string, body: Body = {}): Promise<AuthAnswer> {
    return this.request('POST', `${urlOf(method)}?key=any`, JSON.stringify(body));
  }

  /** Sends a request as an administrator of the project. */
  admin(method: string, body: Body = {}): Promise<AuthAnswer> {
    return this.request('POST', urlOf(method), JSON.stringify(body), { authorization: 'Bearer owner' });
  }

  /** Changes the settings of the project. */
  async settings(change: (settings: ProjectSettings) => ProjectSettings): Promise<void> {
    await this.services.projects.change('demo', change);
  }

  /** Creates an account with an email address and a password, and signs in. */
  async signUp(email = 'ann@example.com', password = 'password'): Promise<Body> {
    const { json } = await this.post('accounts:signUp', { email, password });
    return json;
  }

  /** Exchanges a refresh token. */
  refresh(refreshToken: unknown): Promise<AuthAnswer> {
    return this.post('token', { grantType: 'refresh_token', refreshToken });
  }

  /** Returns the account of an ID token as `accounts:lookup` answers it, or `{}` if that method fails. */
  async lookup(idToken: unknown): Promise<Body> {
    const { json } = await this.post('accounts:lookup', { idToken });
    const users: unknown = json['users'];
    return Array.isArray(users) ? users[0] : {};
  }
}

function urlOf(method: string): string {
  return method.startsWith('/') ? method : `/v1/${method}`;
}

function readAnswer(status: number, headers: Readonly<Record<string, unknown>>, text: string): AuthAnswer {
  const isJson = String(headers['content-type']).startsWith('application/json');
  const json: Record<string, unknown> = isJson ? JSON.parse(text) : {};
  const error = Object(json['error'])['message'];
  return { status, headers, json, text, error };
}

/** Returns the claims of a token. */
export function claimsOf(token: unknown): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString());
}
