import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { formatPath } from '@hearth/core/tree/path.ts';
import { handshakeMessage } from '@hearth/core/wire/server-messages.ts';
import type { DatabaseAppCheck } from '../../access/app-check.ts';
import type { LiveConnections, RevocationReason } from '../../access/live-connections.ts';
import type { Principal } from '../../access/principal.ts';
import type { CredentialVerifier } from '../../access/verifier.ts';
import type { Clock } from '../../platform/clock.ts';
import { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { Database } from '../database/database.ts';
import type { StagedWrites } from '../import/import.ts';
import {
  type ConnectionListen,
  type ConnectionSource,
  type ConnectionSummary,
  identitySummary,
} from '../monitoring/connections.ts';
import { type ActionSession, cutText, type SessionOptions } from './action.ts';
import type { Connection } from './connection.ts';
import { Session } from './session.ts';

/** The client of a connection. */
export interface Peer {
  /** Sequence number of the connection within the process. */
  readonly id: number;
  /** Address of the client, if it differs from the connection's. */
  readonly address: string | null;
  readonly userAgent: string;
  readonly sinceMs: number;
}

/** Maximum stored length of a program's name, in UTF-16 code units. */
const MAX_NAME_UNITS = 256;

/** When the cache has this many names, it is cleared before the next one. */
const MAX_SHARED = 1_000;

/** Stores each program's name once, for any number of connections. */
class PeerNames {
  readonly #names = new Map<string, string>();

  share(name: string): string {
    const cut = cutText(name, MAX_NAME_UNITS);
    const known = this.#names.get(cut);
    if (known !== undefined) return known;
    if (this.#names.size >= MAX_SHARED) this.#names.clear();
    this.#names.set(cut, cut);
    return cut;
  }
}

/** Returns the description of a session for administrators. */
function describeSession(
  { sdk, identity, listens, connection }: Session,
  { id, address, userAgent, sinceMs }: Peer,
  pendingDisconnects: number,
): ConnectionSummary {
  const { transport, peerAddress, sentBytes, receivedBytes } = connection;
  return {
    id,
    address: address ?? peerAddress ?? '',
    userAgent,
    sdk,
    transport,
    sinceMs,
    identity: identitySummary(identity),
    listens: listens.count,
    pendingDisconnects,
    sentBytes,
    receivedBytes,
  };
}

/** Returns the listens of a session, at most `limit`. */
function describeListens({ listens }: Session, limit: number): readonly ConnectionListen[] {
  return listens
    .all()
    .slice(0, limit)
    .map((listen) => ({
      path: `/${formatPath(listen.path)}`,
      query: listen.kind === 'query' ? (parseJsonText(listen.queryJson) as ConnectionListen['query']) : null,
    }));
}

const REVOKE: Readonly<Record<RevocationReason, (session: Session) => void>> = {
  deleted: (session) => session.dropIdentity(),
  ended: (session) => session.signOut(),
  revoked: (session) => session.revokeCredential(),
};

export interface SessionRegistryOptions {
  readonly scheduler: TransactionScheduler;
  readonly verifier: CredentialVerifier;
  readonly appChecks: DatabaseAppCheck;
  readonly unfinished: SessionOptions['unfinished'];
  readonly pools: SessionOptions['pools'];
  readonly stagedWrites: StagedWrites;
  readonly clock: Clock;
  readonly openDatabase: (name: string) => Database;
  /** Creates an unguessable id of letters and digits. */
  readonly createSessionId: () => string;
  /** Returns the next sequence number of a connection of the process. */
  readonly nextConnectionId: () => number;
  /** Returns the number of writes that a session has queued for its end. */
  readonly countPending: (sessionId: string) => number;
}

/** The data that a client sends when it connects. */
export interface Introduction {
  readonly namespace: string;
  /** Host and port under which the client reached this server. */
  readonly host: string;
  /** The session of the client's earlier connection, whose loss the server may not have noticed yet. */
  readonly lastSessionId: string | null;
  /** `null` if the connection knows the address. */
  readonly address: string | null;
  readonly userAgent: string | undefined;
  readonly appCheckToken: string | null;
}

interface Known extends Peer {
  readonly session: Session;
}

/** All sessions that have not ended, of both transports. */
export class SessionRegistry implements ConnectionSource, LiveConnections {
  readonly #options: SessionRegistryOptions;
  /** In the order of their connection ids. */
  readonly #sessions = new Map<string, Known>();
  readonly #names = new PeerNames();
  readonly #forget = (session: ActionSession): void => {
    this.#sessions.delete(session.id);
  };

  constructor(options: SessionRegistryOptions) {
    this.#options = options;
  }

  /**
   * Opens a session and sends the handshake. The queued writes of an earlier session of the client are executed
   * first.
   */
  open(
    connection: Connection,
    { namespace, host, lastSessionId, address, userAgent, appCheckToken }: Introduction,
  ): Session {
    const { scheduler, verifier, appChecks, unfinished, pools, stagedWrites, clock, nextConnectionId } =
      this.#options;
    const last = lastSessionId === null ? undefined : this.#find(namespace, lastSessionId);
    last?.end();
    const id = this.#options.createSessionId();
    const session = new Session({
      id,
      database: this.#options.openDatabase(namespace),
      connection,
      scheduler,
      verifier,
      appChecks,
      appCheckToken,
      clientAddress: address,
      nowMs: clock.nowMs,
      unfinished,
      pools,
      stagedWrites,
      // Until the session is over, a client that reconnects finds it and waits for its end.
      onOver: this.#forget,
      ...(last === undefined ? {} : { startAfter: last.over }),
    });
    this.#sessions.set(id, {
      session,
      id: nextConnectionId(),
      address,
      userAgent: this.#names.share(userAgent ?? ''),
      sinceMs: clock.nowMs(),
    });
    connection.deliver([new OutgoingMessage(handshakeMessage(clock.nowMs(), host, id))]);
    return session;
  }

  revokeCredentials(isRevoked: (identity: Principal) => boolean, reason: RevocationReason): void {
    for (const { session } of this.#sessions.values())
      if (isRevoked(session.identity)) REVOKE[reason](session);
  }

  *endUnchecked(): Generator<void> {
    const { scheduler } = this.#options;
    for (const { session } of this.#sessions.values()) yield session.appCheck.endUnchecked(scheduler);
  }

  list(database: string, after: number, limit: number): readonly ConnectionSummary[] {
    return this.#ofDatabase(database)
      .filter((known) => known.id > after)
      .take(limit)
      .map((known) => this.#describe(known))
      .toArray();
  }

  find(database: string, id: number): ConnectionSummary | undefined {
    const known = this.#findConnection(database, id);
    return known === undefined ? undefined : this.#describe(known);
  }

  listens(database: string, id: number, limit: number): readonly ConnectionListen[] {
    const known = this.#findConnection(database, id);
    return known === undefined ? [] : describeListens(known.session, limit);
  }

  end(database: string, id: number): boolean {
    const known = this.#findConnection(database, id);
    known?.session.end();
    return known !== undefined;
  }

  /** Ends all sessions. Resolves when the queued writes of their clients have been executed. */
  async endAll(): Promise<void> {
    const sessions = Array.from(this.#sessions.values(), ({ session }) => session);
    for (const session of sessions) session.end();
    await Promise.all(sessions.map((session) => session.over));
  }

  #describe(known: Known): ConnectionSummary {
    return describeSession(known.session, known, this.#options.countPending(known.session.id));
  }

  #ofDatabase(database: string): IteratorObject<Known> {
    return this.#sessions.values().filter(({ session }) => session.database.name === database);
  }

  #findConnection(database: string, id: number): Known | undefined {
    return this.#ofDatabase(database).find((known) => known.id === id);
  }

  #find(namespace: string, id: string): Session | undefined {
    const session = this.#sessions.get(id)?.session;
    return session?.database.name === namespace ? session : undefined;
  }
}
