import type { Query } from '@hearth/core/query/query.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { PendingScan } from '../database/database.ts';
import type { QuerySubscription } from '../database/listens.ts';
import { mayCheckNow, type UncheckedReads } from '../database/read-checks.ts';

/** A listen of a session. */
export type ActiveListen =
  | { readonly kind: 'default'; readonly path: Path }
  | {
      readonly kind: 'query';
      readonly path: Path;
      readonly query: Query;
      /** Canonical text of the query that the client sent. */
      readonly queryJson: string;
      readonly subscription: QuerySubscription;
    };

/** Authorizes listens of a session. */
export interface ListenChecker {
  isReadable(transaction: WriteTransaction, listen: ActiveListen): boolean;
  /** Lets the session send the values of listens of which changes were held back, in a later transaction. */
  queueHeldValues(): void;
}

/** The listens that are authorized again. */
export interface CheckedListens {
  /** Set while listens are not authorized again, or have not received a value that was held back since. */
  readonly unchecked: UncheckedListens | null;
  setUnchecked(transaction: WriteTransaction, unchecked: UncheckedListens | null): void;
  findDefault(path: Path): ActiveListen | undefined;
  findQuery(tag: number): ActiveListen | undefined;
  /** Removes a listen that the rules deny, and notifies the client. */
  revoke(transaction: WriteTransaction, listen: ActiveListen): void;
}

/**
 * The listens of a session of which changes were held back. Each receives its whole value when the client has a place for
 * it, but none before it is authorized.
 */
export class HeldListens {
  readonly #listens = new Set<ActiveListen>();
  /** Whether the session has an item in its queue that sends the values. */
  #isQueued = false;
  /** The scan that the value of a listen waits for. */
  #scan: { readonly listen: ActiveListen; readonly scan: PendingScan } | undefined;

  get size(): number {
    return this.#listens.size;
  }

  [Symbol.iterator](): IterableIterator<ActiveListen> {
    return this.#listens.values();
  }

  has(listen: ActiveListen): boolean {
    return this.#listens.has(listen);
  }

  add(transaction: WriteTransaction, listen: ActiveListen): void {
    this.#listens.add(listen);
    transaction.onRollback(() => this.#listens.delete(listen));
  }

  /** Removes a listen that ends, or that receives its value. */
  remove(transaction: WriteTransaction, listen: ActiveListen): void {
    if (!this.#listens.delete(listen)) return;
    transaction.onRollback(() => this.#listens.add(listen));
  }

  /** Calls `queue` if values are held and no item of the queue sends them. */
  queue(queue: () => void): void {
    if (this.#listens.size === 0 || this.#isQueued) return;
    this.#isQueued = true;
    queue();
  }

  /** Called when an item of the queue has sent values. Others may be left. */
  endItem(): void {
    this.#isQueued = false;
  }

  keepScan(listen: ActiveListen, scan: PendingScan): void {
    this.#scan = { listen, scan };
  }

  /** Returns the scan of a listen whose turn it is. Ends the scan of another listen: its turn is over. */
  findScan(listen: ActiveListen): PendingScan | undefined {
    if (this.#scan?.listen === listen) return this.#scan.scan;
    this.#scan?.scan.stop();
    this.#scan = undefined;
    return undefined;
  }
}

/**
 * The listens of a session after a change of its rules or of its principal, until all of them are authorized again and
 * none is held. Those that begin in the meantime are checked once more.
 */
export class UncheckedListens implements UncheckedReads {
  readonly #listens: CheckedListens;
  readonly #checker: ListenChecker;
  readonly #checked = new Set<ActiveListen>();
  /** Those of an earlier change are held on. */
  readonly held: HeldListens;
  #areAllChecked = false;

  constructor(listens: CheckedListens, checker: ListenChecker, held = new HeldListens()) {
    this.#listens = listens;
    this.#checker = checker;
    this.held = held;
  }

  admit(transaction: WriteTransaction, path: Path, tag: number | null): boolean {
    const listen = tag === null ? this.#listens.findDefault(path) : this.#listens.findQuery(tag);
    if (listen === undefined || this.held.has(listen)) return false;
    if (this.#areAllChecked || this.#checked.has(listen)) return true;
    if (mayCheckNow(transaction)) return this.check(transaction, listen);
    if (this.held.size === 0) transaction.onCommit(() => this.#queueHeld());
    this.held.add(transaction, listen);
    return false;
  }

  /** Authorizes a listen, unless that has happened. Returns whether it continues. */
  check(transaction: WriteTransaction, listen: ActiveListen): boolean {
    if (this.#checked.has(listen)) return true;
    if (!this.#checker.isReadable(transaction, listen)) {
      this.#listens.revoke(transaction, listen);
      return false;
    }
    this.#checked.add(listen);
    transaction.onRollback(() => this.#checked.delete(listen));
    return true;
  }

  /** Called when a listen ends, or when its value is sent. */
  release(transaction: WriteTransaction, listen: ActiveListen): void {
    this.held.remove(transaction, listen);
  }

  /** Called when all listens are authorized, except those that are held and began in the meantime. */
  endChecks(transaction: WriteTransaction): void {
    if (this.#listens.unchecked !== this) return;
    this.#areAllChecked = true;
    transaction.onRollback(() => {
      this.#areAllChecked = false;
    });
    this.#endIfDone(transaction);
  }

  /** Called when the session has sent values. */
  endStep(transaction: WriteTransaction): void {
    transaction.onCommit(() => {
      this.held.endItem();
      this.#queueHeld();
    });
    this.#endIfDone(transaction);
  }

  #endIfDone(transaction: WriteTransaction): void {
    if (this.#areAllChecked && this.held.size === 0 && this.#listens.unchecked === this)
      this.#listens.setUnchecked(transaction, null);
  }

  #queueHeld(): void {
    this.held.queue(() => this.#checker.queueHeldValues());
  }
}
