import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import { PROTOCOL_VERSION } from '@hearth/core/wire/down.ts';
import { closeCommand, definitionsScript, messagesScript } from '@hearth/core/wire/long-poll-script.ts';
import type { LongPollEndpoint } from '../../http/long-poll-endpoint.ts';
import type { SessionDirectory } from '../session-directory.ts';
import { versionRefusal } from '../version-refusal.ts';
import type { UpgradableSessions } from '../websocket.ts';
import type { ConnectionSettings } from '../websocket-connection.ts';
import { isSameSecret } from './is-same-secret.ts';
import { LEAVE_PAGE } from './leave-page.ts';
import { LongPollConnection, type Patience } from './long-poll-connection.ts';
import { type LongPollCredential, type LongPollRequest, parseLongPollRequest } from './long-poll-request.ts';
import { HttpPoll, sendText } from './poll.ts';
import type { UpgradeTarget } from './transport-upgrade.ts';

export interface LongPollOptions {
  readonly settings: ConnectionSettings;
  readonly patience: Patience;
  /** Beyond, clients are refused until others are gone. */
  readonly maxConnections: number;
  readonly sessions: SessionDirectory;
  /** Address of the client that makes a request. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Unguessable; letters and digits. */
  readonly createPassword: () => string;
}

/** Serves the protocol to clients that have no WebSocket: each request is answered with a script that the client runs. */
export class LongPollService implements LongPollEndpoint, UpgradableSessions {
  readonly #options: LongPollOptions;
  /** By the name of the session. */
  readonly #connections = new Map<string, LongPollConnection>();

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
        this.#start(parsed, new HttpPoll(response), mustBeNamed(namespace), request);
        return;
      case 'leave-page':
        sendText(response, 'text/html', LEAVE_PAGE);
        return;
      case 'leave':
        // Clients do not say from where: the credential alone tells.
        this.#find(parsed.credential)?.leave();
        sendText(response, 'text/plain', '');
        return;
      case 'poll': {
        const name = mustBeNamed(namespace);
        const found = this.#find(parsed.credential);
        const connection = found?.session.database.name === name ? found : undefined;
        const poll = new HttpPoll(response);
        if (connection === undefined) poll.answer(closeCommand());
        else connection.poll(poll, parsed.segments);
        return;
      }
      default:
        parsed satisfies never;
    }
  }

  offerUpgrade(namespace: string, sessionId: string, target: UpgradeTarget): boolean {
    const connection = this.#connections.get(sessionId);
    return connection?.session.database.name === namespace && connection.offerUpgrade(target);
  }

  async close(): Promise<void> {
    await this.#options.sessions.endAll();
    // What is left are those whose clients have moved on.
    for (const connection of this.#connections.values()) connection.close();
  }

  #start(
    { callback, version, lastSessionId }: LongPollRequest & { readonly kind: 'start' },
    poll: HttpPoll,
    namespace: string,
    request: IncomingMessage,
  ): void {
    if (version !== PROTOCOL_VERSION) {
      poll.answer(definitionsScript(callback) + messagesScript(0, [versionRefusal()]));
      return;
    }
    const { settings, patience, maxConnections, sessions, addressOf, createPassword } = this.#options;
    const { host = 'localhost', 'user-agent': userAgent } = request.headers;
    const address = addressOf(request);
    if (this.#connections.size >= maxConnections) throw new Refusal('request/overload');
    const connection = new LongPollConnection({
      password: createPassword(),
      settings,
      patience,
      openSession: (opened) => sessions.open(opened, { namespace, host, lastSessionId, address, userAgent }),
      onForgotten: () => this.#connections.delete(connection.session.id),
    });
    this.#connections.set(connection.session.id, connection);
    connection.start(poll, callback);
  }

  #find({ id, password }: LongPollCredential): LongPollConnection | undefined {
    const connection = this.#connections.get(id);
    if (connection === undefined) return undefined;
    return isSameSecret(password, connection.password) ? connection : undefined;
  }
}

function mustBeNamed(namespace: string | null): string {
  if (namespace === null) throw new Refusal('namespace/missing');
  return namespace;
}
