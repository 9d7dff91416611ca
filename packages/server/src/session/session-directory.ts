import { handshakeMessage } from '@hearth/core/wire/down.ts';
import type {
  ConnectionListen,
  ConnectionSource,
  ConnectionSummary,
} from '../activity/connection-summary.ts';
import type { Committer } from '../commit/committer.ts';
import { Frame } from '../commit/frame.ts';
import type { Database } from '../database/database.ts';
import type { Identity } from '../identity/identity.ts';
import type { CredentialVerifier } from '../identity/verifier.ts';
import type { Clock } from '../ops/clock.ts';
import type { Connection } from './connection.ts';
import { type Peer, PeerNames } from './peer.ts';
import { Session, type UnfinishedSessions } from './session.ts';
import { describeListens, describeSession } from './session-summary.ts';

export interface SessionDirectoryOptions {
  readonly committer: Committer;
  readonly verifier: CredentialVerifier;
  readonly unfinished: UnfinishedSessions;
  readonly clock: Clock;
  readonly openDatabase: (name: string) => Database;
  /** Unguessable; letters and digits. */
  readonly createSessionId: () => string;
  /** Counts all connections of the process. */
  readonly nextConnectionId: () => number;
  /** Places that a session has asked to be written to when it ends. */
  readonly countPending: (sessionId: string) => number;
}

/** What a client says when it connects. */
export interface Introduction {
  readonly namespace: string;
  /** The host under which the client reached this server, with port. */
  readonly host: string;
  /** The session of the client's former connection, which may not have been missed yet. */
  readonly lastSessionId: string | null;
  /** Unless the connection knows it. */
  readonly address: string | null;
  readonly userAgent: string | undefined;
}

interface Known extends Peer {
  readonly session: Session;
}

/** All sessions that are not over, whatever they are connected by. */
export class SessionDirectory implements ConnectionSource {
  readonly #options: SessionDirectoryOptions;
  /** In order of their ids as connections. */
  readonly #sessions = new Map<string, Known>();
  readonly #names = new PeerNames();
  readonly #forget = (session: Session): void => {
    this.#sessions.delete(session.id);
  };

  constructor(options: SessionDirectoryOptions) {
    this.#options = options;
  }

  /** Begins a session with the handshake. What a former session of the client left to be written comes first. */
  open(
    connection: Connection,
    { namespace, host, lastSessionId, address, userAgent }: Introduction,
  ): Session {
    const { committer, verifier, unfinished, clock, nextConnectionId } = this.#options;
    const last = lastSessionId === null ? undefined : this.#find(namespace, lastSessionId);
    last?.end();
    const id = this.#options.createSessionId();
    const session = new Session({
      id,
      database: this.#options.openDatabase(namespace),
      connection,
      committer,
      verifier,
      nowMs: clock.nowMs,
      unfinished,
      // Until it is over a client that comes back waits for it.
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
    connection.deliver([new Frame(handshakeMessage(clock.nowMs(), host, id))]);
    return session;
  }

  /** Tells the clients whose credentials a condition holds for that these count no more. */
  revokeCredentials(isRevoked: (identity: Identity) => boolean): void {
    for (const { session } of this.#sessions.values())
      if (isRevoked(session.identity)) session.revokeCredential();
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

  /** Ends every session; resolves when what their clients left to be written is. */
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
