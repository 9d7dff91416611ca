import type { Path } from '@hearth/core/tree/path.ts';
import type { NotPromise } from '../../storage/kv/store.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';

/** Authorizes one read again in the current state. Ends the read if it is denied, and does nothing if it has ended. */
export type ReadCheck = (transaction: WriteTransaction) => void;

/** A reader whose reads are authorized again when the rules or its principal change. */
export interface Reader {
  /** Called in the transaction of the change, before the first check: no read of the reader is authorized any more. */
  beginChecks?(transaction: WriteTransaction): void;
  /** Returns a check for each read. */
  readChecks(): Iterable<ReadCheck>;
  /** Ends the reader, because its reads could not be checked. Idempotent. */
  end(): void;
}

/** Runs `body` in a transaction of its own. */
export type RunInTransaction = <T>(body: (transaction: WriteTransaction) => NotPromise<T>) => Promise<T>;

/** The reads of a receiver that are not authorized again yet. */
export interface UncheckedReads {
  /**
   * Authorizes the read of a node, or the query with a tag, if that has not happened yet. Returns whether a change of its
   * value may be sent now. Otherwise the read receives its whole value later, unless it is denied.
   */
  admit(transaction: WriteTransaction, path: Path, tag: number | null): boolean;
}

/**
 * Number of reads that are authorized again in the transaction of a change, and in each further transaction because a value
 * is about to be sent. Each takes a few microseconds.
 */
const MAX_CHECKED_AT_ONCE = 200;

/** The number of reads that a transaction has authorized because of values. */
const CHECKED_FOR_VALUES = new WeakMap<WriteTransaction, number>();

/** Counts a read that is authorized because a value is about to be sent. Returns false if the transaction has too many. */
export function mayCheckNow(transaction: WriteTransaction): boolean {
  const count = CHECKED_FOR_VALUES.get(transaction) ?? 0;
  if (count >= MAX_CHECKED_AT_ONCE) return false;
  CHECKED_FOR_VALUES.set(transaction, count + 1);
  return true;
}

/** Maximum number of reads that each further transaction authorizes again. */
const CHECKS_OF_STEP = 100;

/** Time after which a transaction authorizes no further read, in ms. Rules can make one take long. */
const MAX_CHECKS_MS = 4;

interface PendingCheck {
  readonly reader: Reader;
  readonly check: ReadCheck;
}

type Checks = Iterator<PendingCheck>;

/**
 * Authorizes reads again after a change: the first ones in the transaction of the change, and the others in transactions
 * of their own. A later change checks all reads, and therefore replaces what is left of an earlier one.
 */
export class ReadChecks {
  readonly #elapsedMs: () => number;
  /** The checks of the last change that are left. */
  #left: Checks | undefined;
  #done: Promise<void> = Promise.resolve();

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  /** Resolves when all reads are checked. */
  get done(): Promise<void> {
    return this.#done;
  }

  /** `run` runs the steps; `null` if the transaction checks all reads. */
  start(transaction: WriteTransaction, run: RunInTransaction | null, readers: readonly Reader[]): void {
    for (const reader of readers) reader.beginChecks?.(transaction);
    const checks = checksOf(readers);
    if (run === null) {
      for (const { check } of checks) check(transaction);
      return;
    }
    const first = take(checks, MAX_CHECKED_AT_ONCE);
    const unchecked = first.slice(this.#check(transaction, first));
    const isDone = unchecked.length === 0 && first.length < MAX_CHECKED_AT_ONCE;
    if (isDone && this.#left === undefined) return;
    transaction.onCommit(() => {
      this.#left = isDone ? undefined : checks;
      this.#done = isDone ? Promise.resolve() : this.#continue(checks, unchecked, run);
    });
  }

  /** Checks reads until that has taken long enough: at least one. Returns how many. */
  #check(transaction: WriteTransaction, step: readonly PendingCheck[]): number {
    const endMs = this.#elapsedMs() + MAX_CHECKS_MS;
    let checked = 0;
    for (const { check } of step) {
      if (checked > 0 && this.#elapsedMs() >= endMs) break;
      check(transaction);
      checked += 1;
    }
    return checked;
  }

  /** `unchecked` comes before the checks that are left. */
  async #continue(checks: Checks, unchecked: readonly PendingCheck[], run: RunInTransaction): Promise<void> {
    let next = unchecked;
    for (;;) {
      // The transaction may run a step twice, so it does not take the checks.
      const step = [...next, ...take(checks, CHECKS_OF_STEP - next.length)];
      if (step.length === 0) break;
      try {
        const checked = await run((transaction) => this.#check(transaction, step));
        next = step.slice(checked);
      } catch {
        // The scheduler has logged the error. Readers whose reads were not checked must end.
        for (const { reader } of step) reader.end();
        next = [];
      }
      if (this.#left !== checks) return this.#done;
    }
    this.#left = undefined;
  }
}

function* checksOf(readers: readonly Reader[]): Generator<PendingCheck> {
  for (const reader of readers) for (const check of reader.readChecks()) yield { reader, check };
}

/** Returns the next items, at most `count`. */
function take(checks: Checks, count: number): readonly PendingCheck[] {
  const taken: PendingCheck[] = [];
  while (taken.length < count) {
    const { done, value } = checks.next();
    if (done === true) break;
    taken.push(value);
  }
  return taken;
}
