import { ANONYMOUS, type Principal } from '../../access/principal.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { CredentialTimer } from './credentials.ts';

/** The principal of a session, and the rest of one whose account was deleted. */
export class SessionIdentity {
  readonly #timer: CredentialTimer;
  #current: Principal = ANONYMOUS;
  /**
   * After the principal's account was deleted, and until the client signs out or in: the principal as which the queued
   * writes run. It is the deleted one if the client sends no further requests.
   */
  #dropped: Principal | undefined;
  #isOver = false;

  /** `onExpired` is called when the credential expires, or the client of a deleted account has not signed out. */
  constructor(nowMs: () => number, onExpired: () => void) {
    this.#timer = new CredentialTimer(nowMs, onExpired);
  }

  get current(): Principal {
    return this.#current;
  }

  /** The principal as which the queued writes run. */
  get last(): Principal {
    return this.#dropped ?? this.#current;
  }

  /** Whether the client knows that it has no principal. */
  get isAnonymous(): boolean {
    return this.#current.kind === 'guest' && this.#dropped === undefined;
  }

  change(transaction: WriteTransaction, identity: Principal): void {
    this.#set(transaction, identity, undefined);
    transaction.onCommit(() => this.#timer.watch(this.#isOver ? ANONYMOUS : this.#current));
  }

  /** Makes the session anonymous because the account was deleted. The client has a moment to sign out. */
  drop(transaction: WriteTransaction): void {
    this.#set(transaction, ANONYMOUS, this.#current);
    transaction.onCommit(() => {
      if (this.#dropped !== undefined && !this.#isOver) this.#timer.watchDeleted();
    });
  }

  /** Records that the client sent a request. A client that continues without a principal has an anonymous queue. */
  recordRequest(): void {
    if (this.#dropped !== undefined) this.#dropped = ANONYMOUS;
  }

  /** Stops watching the credential. */
  end(): void {
    this.#isOver = true;
    this.#timer.watch(ANONYMOUS);
  }

  #set(transaction: WriteTransaction, current: Principal, dropped: Principal | undefined): void {
    const before = { current: this.#current, dropped: this.#dropped };
    this.#current = current;
    this.#dropped = dropped;
    transaction.onRollback(() => {
      this.#current = before.current;
      this.#dropped = before.dropped;
    });
  }
}
