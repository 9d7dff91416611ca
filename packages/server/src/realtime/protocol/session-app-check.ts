import { REQUEST_ERRORS, RequestError } from '@hearth/core/error/request-error.ts';
import { appCheckRevokedPush } from '@hearth/core/wire/server-messages.ts';
import type { DatabaseAppCheck } from '../../access/app-check.ts';
import type { Principal } from '../../access/principal.ts';
import { isAdministrator } from '../../access/rights.ts';
import { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { Receiver, WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { Connection } from './connection.ts';

/** Why a session may not continue: its client has shown no App Check token, or one that is no longer valid. */
type AppCheckProblem = 'missing' | 'invalid';

const REVOKED: Readonly<Record<AppCheckProblem, OutgoingMessage>> = {
  missing: new OutgoingMessage(appCheckRevokedPush(REQUEST_ERRORS['app-check/missing'].text)),
  invalid: new OutgoingMessage(appCheckRevokedPush(REQUEST_ERRORS['app-check/invalid'].text)),
};

/** The part of a session that the check uses. */
interface CheckedSession extends Receiver {
  readonly database: { readonly name: string };
  readonly identity: Principal;
  readonly connection: Connection;
  readonly listens: { readonly count: number };
  /** Ends the session. Idempotent. */
  end(): void;
}

export interface SessionAppCheckOptions {
  readonly appChecks: DatabaseAppCheck;
  /** The App Check token with which the client connects, if it has one. */
  readonly appCheckToken?: string | null;
  /** Address of the client, if it differs from the connection's. */
  readonly clientAddress?: string | null;
  readonly nowMs: () => number;
}

/** The state of the App Check of a session. */
export class SessionAppCheck {
  readonly #session: CheckedSession;
  readonly #options: SessionAppCheckOptions;
  /** When the token expires; 0 for none. The server ignores tokens while the mode is `off`. */
  #expiresAtMs = 0;
  #problem: AppCheckProblem = 'missing';
  #isCounted = false;
  #isRejected = false;

  constructor(session: CheckedSession, options: SessionAppCheckOptions) {
    const { appChecks, appCheckToken = null, clientAddress = null, nowMs } = options;
    this.#session = session;
    this.#options = { appChecks, clientAddress, nowMs };
    // A client with a wrong token connects, and learns with its first request that it needs another one.
    if (appCheckToken !== null) this.#check(appCheckToken);
  }

  /** Checks a token of the client. Throws `app-check/invalid` if tokens are required and this one is not valid. */
  present(token: string): void {
    const isRequired = this.#check(token) === 'enforce';
    if (isRequired && this.#expiresAtMs === 0) throw new RequestError('app-check/invalid');
  }

  /** Records that the client no longer shows a token. */
  drop(): void {
    this.#expiresAtMs = 0;
    this.#problem = 'missing';
  }

  /**
   * Returns whether the principal may send requests. Otherwise asks the client for a token and ends the session: the client
   * connects again with a new token.
   */
  admits(transaction: WriteTransaction): boolean {
    const problem = this.#findProblem();
    if (problem === undefined) return true;
    this.#reject(transaction, problem);
    return false;
  }

  /** Ends a session whose client receives data and has shown no valid token although the database requires one. */
  endUnchecked(scheduler: TransactionScheduler): void {
    if (this.#session.listens.count === 0) return;
    const problem = this.#findProblem();
    if (problem === undefined) return;
    const sent = scheduler.request((transaction) => this.#reject(transaction, problem));
    void sent.catch(() => this.#session.end());
  }

  #check(token: string): 'off' | 'monitor' | 'enforce' {
    const { appChecks } = this.#options;
    const { name } = this.#session.database;
    const mode = appChecks.modeOf(name);
    if (mode === 'off') return mode;
    const result = appChecks.check(name, token);
    this.#isCounted = true;
    this.#expiresAtMs = result.kind === 'valid' ? result.expiresAtMs : 0;
    this.#problem = result.kind === 'missing' ? 'missing' : 'invalid';
    return mode;
  }

  #findProblem(): AppCheckProblem | undefined {
    const { appChecks, nowMs } = this.#options;
    const { database, identity } = this.#session;
    const mode = appChecks.modeOf(database.name);
    if (mode === 'off' || this.#expiresAtMs > nowMs() || isAdministrator(identity)) return undefined;
    if (!this.#isCounted) appChecks.check(database.name, null);
    this.#isCounted = true;
    return mode === 'enforce' ? this.#problem : undefined;
  }

  #reject(transaction: WriteTransaction, problem: AppCheckProblem): void {
    if (this.#isRejected) return;
    this.#isRejected = true;
    transaction.onRollback(() => {
      this.#isRejected = false;
    });
    const { database, connection } = this.#session;
    transaction.send(this.#session, REVOKED[problem]);
    transaction.onCommit(() => {
      const { appChecks, clientAddress } = this.#options;
      appChecks.recordRejection(database.name, problem, clientAddress ?? connection.peerAddress ?? '');
      this.#session.end();
    });
  }
}
