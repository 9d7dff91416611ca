import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Segment } from '@hearth/core/wire/frames.ts';
import { closeCommand, definitionsScript, messagesScript } from '@hearth/core/wire/long-poll.ts';
import { PROTOCOL_VERSION } from '@hearth/core/wire/server-messages.ts';
import type { Area } from '../../http/area.ts';
import { PUBLIC_HEADERS } from '../../http/errors.ts';
import { parseRequestTarget } from '../../http/request-target.ts';
import { pathPolicy } from '../../http/routed-area.ts';
import type { Lease } from '../../platform/lease.ts';
import type { ResourcePool } from '../../platform/resource-pool.ts';
import { findNamespace } from '../rest/namespace.ts';
import { versionError } from './connection.ts';
import { LongPollConnection, type Timeouts } from './long-poll-connection.ts';
import { HttpPoll, sendText } from './long-poll-queue.ts';
import type { SessionRegistry } from './session-registry.ts';
import type { UpgradeTarget } from './transport-upgrade.ts';
import type { ConnectionSettings } from './websocket-connection.ts';
import type { UpgradableSessions } from './websocket-server.ts';

/**
 * Compares a value from a client with a secret in constant time. The time reveals only whether the lengths are
 * equal.
 */
export function isSameSecret(presented: string, secret: string): boolean {
  const a = Buffer.from(presented);
  const b = Buffer.from(secret);
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * The page that a client holds in an invisible frame. It notifies the server when it is unloaded, either with
 * the client's page or because the client has removed it. Its own URL identifies the connection.
 */
const LEAVE_PAGE = `<!doctype html>
<title>Leave notification</title>
<script>
const address = new URL(location.href);
address.searchParams.delete('dframe');
address.searchParams.set('disconn', 't');
addEventListener('pagehide', () => navigator.sendBeacon(address));
</script>
`;

/** The credential with which a client identifies its connection. */
export interface LongPollCredential {
  readonly id: string;
  readonly password: string;
}

/** A long-poll request of a client. */
export type LongPollRequest =
  | {
      readonly kind: 'start';
      /** The decimal number in the names of the client's callback functions. */
      readonly callback: string;
      readonly version: string | null;
      readonly lastSessionId: string | null;
      readonly appCheckToken: string | null;
    }
  /** Requests the page that notifies the server when the user leaves the client's page. */
  | { readonly kind: 'leave-page' }
  | { readonly kind: 'leave'; readonly credential: LongPollCredential }
  | {
      readonly kind: 'poll';
      readonly credential: LongPollCredential;
      readonly segments: readonly Segment[];
    };

/** The callback is inserted into a script, so only digits are allowed. */
const CALLBACK = /^[0-9]{1,15}$/;
const NUMBER = /^[0-9]{1,15}$/;

/** Maximum number of segments in one request. Official clients put a few dozen into one URL. */
const MAX_SEGMENTS = 256;

/** Parses the parameters of a URL. Throws `request/malformed` if a start cannot be answered by a script. */
export function parseLongPollRequest(query: URLSearchParams): LongPollRequest {
  // Parameters are looked up by name many times. If a name is repeated, the last value applies.
  const parameters = new Map(query);
  if (parameters.has('start')) return parseStart(parameters);
  if (parameters.has('dframe')) return { kind: 'leave-page' };
  const credential = { id: parameters.get('id') ?? '', password: parameters.get('pw') ?? '' };
  if (parameters.has('disconn')) return { kind: 'leave', credential };
  return { kind: 'poll', credential, segments: parseSegments(parameters) };
}

function parseStart(parameters: ReadonlyMap<string, string>): LongPollRequest {
  const callback = parameters.get('cb') ?? '';
  if (!CALLBACK.test(callback))
    throw new RequestError(
      'request/malformed',
      'The parameter "cb" must be the decimal number of a callback, such as cb=1.',
    );
  return {
    kind: 'start',
    callback,
    version: parameters.get('v') ?? null,
    lastSessionId: parameters.get('ls') ?? null,
    appCheckToken: parameters.get('ac') ?? null,
  };
}

function parseSegments(parameters: ReadonlyMap<string, string>): readonly Segment[] {
  const segments: Segment[] = [];
  for (let i = 0; i < MAX_SEGMENTS; i++) {
    const number = parameters.get(`seg${i}`);
    if (number === undefined) break;
    segments.push({
      number: parseNumber(number),
      count: parseNumber(parameters.get(`ts${i}`) ?? ''),
      data: parameters.get(`d${i}`) ?? '',
    });
  }
  return segments;
}

/** Returns `NaN` if the text is not a number; the assembly of segments rejects it. */
function parseNumber(text: string): number {
  return NUMBER.test(text) ? Number(text) : Number.NaN;
}

export interface LongPollOptions {
  readonly settings: ConnectionSettings;
  readonly timeouts: Timeouts;
  /** The places for clients of all networks together. */
  readonly places: ResourcePool;
  readonly sessions: SessionRegistry;
  /** Returns the address of the client that makes a request. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Returns the network of the client that makes a request. */
  readonly networkOf: (request: IncomingMessage) => string;
  /** Creates an unguessable password of letters and digits. */
  readonly createPassword: () => string;
}

/** A client that polls, and the place that it takes. */
interface PollingClient {
  readonly connection: LongPollConnection;
  readonly place: Lease;
}

/** Serves the protocol to clients without WebSockets: each response is a script that the client runs. */
export class LongPollService implements UpgradableSessions {
  readonly #options: LongPollOptions;
  /** By the id of the session. */
  readonly #clients = new Map<string, PollingClient>();

  constructor(options: LongPollOptions) {
    this.#options = options;
  }

  answer(
    request: IncomingMessage,
    response: ServerResponse,
    namespace: string | null,
    query: URLSearchParams,
  ): void {
    const parsed = parseLongPollRequest(query);
    switch (parsed.kind) {
      case 'start':
        this.#start(parsed, new HttpPoll(response), requireNamed(namespace), request);
        return;
      case 'leave-page':
        sendText(response, 'text/html', LEAVE_PAGE);
        return;
      case 'leave':
        // The request has no namespace: the credential alone identifies the connection.
        this.#find(parsed.credential)?.connection.leave();
        sendText(response, 'text/plain', '');
        return;
      case 'poll': {
        const name = requireNamed(namespace);
        const found = this.#find(parsed.credential);
        const client = found?.connection.session.database.name === name ? found : undefined;
        const poll = new HttpPoll(response);
        client?.place.recordProgress();
        if (client === undefined) poll.answer(closeCommand());
        else client.connection.poll(poll, parsed.segments);
        return;
      }
      default:
        parsed satisfies never;
    }
  }

  offerUpgrade(namespace: string, sessionId: string, target: UpgradeTarget): boolean {
    const connection = this.#clients.get(sessionId)?.connection;
    return connection?.session.database.name === namespace && connection.offerUpgrade(target);
  }

  async close(): Promise<void> {
    await this.#options.sessions.endAll();
    // The remaining connections belong to clients that have moved to a WebSocket.
    for (const { connection } of this.#clients.values()) connection.close();
  }

  #start(
    { callback, version, lastSessionId, appCheckToken }: LongPollRequest & { readonly kind: 'start' },
    poll: HttpPoll,
    namespace: string,
    request: IncomingMessage,
  ): void {
    if (version !== PROTOCOL_VERSION) {
      poll.answer(definitionsScript(callback) + messagesScript(0, [versionError()]));
      return;
    }
    const { settings, timeouts, places, sessions, addressOf, networkOf, createPassword } = this.#options;
    const { host = 'localhost', 'user-agent': userAgent } = request.headers;
    const address = addressOf(request);
    const network = networkOf(request);
    this.#endLast(namespace, lastSessionId);
    const place = places.take({ network, isPrivileged: false }, 1, () => connection.evict());
    if (place === undefined) throw new RequestError('request/overload');
    let connection: LongPollConnection;
    try {
      connection = new LongPollConnection({
        network,
        password: createPassword(),
        settings,
        timeouts,
        openSession: (opened) =>
          sessions.open(opened, { namespace, host, lastSessionId, address, userAgent, appCheckToken }),
        onForgotten: () => {
          this.#clients.delete(connection.session.id);
          place.release();
        },
      });
    } catch (error) {
      place.release();
      throw error;
    }
    this.#clients.set(connection.session.id, { connection, place });
    connection.start(poll, callback);
  }

  /** Ends the connection that a client replaces, so that its place is free for the new one. */
  #endLast(namespace: string, lastSessionId: string | null): void {
    const last = lastSessionId === null ? undefined : this.#clients.get(lastSessionId);
    if (last?.connection.session.database.name !== namespace) return;
    last.connection.evict();
    last.place.release();
  }

  #find({ id, password }: LongPollCredential): PollingClient | undefined {
    const client = this.#clients.get(id);
    if (client === undefined) return undefined;
    return isSameSecret(password, client.connection.password) ? client : undefined;
  }
}

function requireNamed(namespace: string | null): string {
  if (namespace === null) throw new RequestError('namespace/missing');
  return namespace;
}

/** Owns `GET` and `POST /.lp`. */
export const LONG_POLL_POLICY = pathPolicy(
  (path, method) => path === '/.lp' && (method === 'GET' || method === 'POST'),
  PUBLIC_HEADERS,
);

/**
 * Returns the area that passes the requests of polling clients to the service. A poll is answered when there
 * are messages.
 */
export function longPollArea(
  longPolls: Pick<LongPollService, 'answer'>,
  defaultNamespace: string | null,
): Area {
  return {
    policy: LONG_POLL_POLICY,
    errors: { headers: PUBLIC_HEADERS },
    answer(request, response) {
      const { query } = parseRequestTarget(request.url);
      const namespace = findNamespace(request.headers.host, query) ?? defaultNamespace;
      longPolls.answer(request, response, namespace, query);
    },
  };
}
