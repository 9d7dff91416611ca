import { handshakeMessage } from '@hearth/core/wire/down.ts';
import type { Committer } from '../commit/committer.ts';
import { Frame } from '../commit/frame.ts';
import type { Database } from '../database/database.ts';
import type { Identity } from '../identity/identity.ts';
import type { CredentialVerifier } from '../identity/verifier.ts';
import type { Clock } from '../ops/clock.ts';
import type { Connection } from './connection.ts';
import { Session, type UnfinishedSessions } from './session.ts';

export interface SessionDirectoryOptions {
  readonly committer: Committer;
  readonly verifier: CredentialVerifier;
  readonly unfinished: UnfinishedSessions;
  readonly clock: Clock;
  readonly openDatabase: (name: string) => Database;
  /** Unguessable; letters and digits. */
  readonly createSessionId: () => string;
}

/** What a client says when it connects. */
export interface Introduction {
  readonly namespace: string;
  /** The host under which the client reached this server, with port. */
  readonly host: string;
  /** The session of the client's former connection, which may not have been missed yet. */
  readonly lastSessionId: string | null;
}

/** All sessions that are not over, whatever they are connected by. */
export class SessionDirectory {
  readonly #options: SessionDirectoryOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #forget = (session: Session): void => {
    this.#sessions.delete(session.id);
  };

  constructor(options: SessionDirectoryOptions) {
    this.#options = options;
  }

  /** Begins a session with the handshake. What a former session of the client left to be written comes first. */
  open(connection: Connection, { namespace, host, lastSessionId }: Introduction): Session {
    const { committer, verifier, unfinished, clock } = this.#options;
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
    this.#sessions.set(id, session);
    connection.deliver([new Frame(handshakeMessage(clock.nowMs(), host, id))]);
    return session;
  }

  /** Tells the clients whose credentials a condition holds for that these count no more. */
  revokeCredentials(isRevoked: (identity: Identity) => boolean): void {
    for (const session of this.#sessions.values())
      if (isRevoked(session.identity)) session.revokeCredential();
  }

  /** Ends every session; resolves when what their clients left to be written is. */
  async endAll(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    for (const session of sessions) session.end();
    await Promise.all(sessions.map((session) => session.over));
  }

  #find(namespace: string, id: string): Session | undefined {
    const session = this.#sessions.get(id);
    return session?.database.name === namespace ? session : undefined;
  }
}
