import { must } from '@hearth/core/error/assert.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { isWriteGranted, validationSteps } from '@hearth/core/rules/evaluate/decide.ts';
import type { WriteOperation } from '@hearth/core/rules/evaluate/operation.ts';
import { findChildRule, type RuleNode, type RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { RuleTree } from '@hearth/core/rules/evaluate/values.ts';
import { tooMuchWorkError, WorkBudget } from '@hearth/core/rules/evaluate/work-budget.ts';
import type { IndexValue } from '@hearth/core/tree/order.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { Principal } from '../access/principal.ts';
import { FairPlaces } from '../platform/fair-queue.ts';
import { MANY_CLIENTS } from '../platform/resource-pool.ts';
import type { KvRead } from '../storage/kv/store.ts';
import type { Seq } from '../storage/log/commit.ts';

/** Maximum number of stored values that are validated at the same time. Further requests wait. */
const MAX_VALIDATING = 4;

/** Number of times that a value is validated in steps, because the data that its rules read changed before the write. */
const MAX_VALIDATIONS = 3;

const PLACES = new FairPlaces(MAX_VALIDATING);

/** The data on which the result of a validation depends, besides the value. */
interface ValidationState {
  readonly rules: RuleSet;
  readonly identity: Principal;
  /** The last commit of the database. */
  readonly seq: Seq;
}

/** Computes a result in steps from a view of the current state, until `isStopped` returns true. */
type Compute = <T>(openSteps: (tx: KvRead) => Iterator<void, T>, isStopped: () => boolean) => Promise<T>;

/** A write of a value that is stored. */
export interface StoredWrite {
  /** The write as the transaction sees it. */
  readonly write: WriteOperation;
  readonly state: ValidationState;
  /** The network of the client; `undefined` if the server itself writes. */
  readonly network: string | undefined;
  readonly compute: Compute;
  /** Returns the write, from any view of the current state. */
  readonly openWrite: (tx: KvRead) => WriteOperation;
  /** Registers a function that is called if the transaction in which the write is decided is rolled back. */
  readonly onRollback: (rollback: () => void) => void;
}

/** The decision of a write whose value is stored. */
export interface StoredDecision {
  readonly kind: 'decided';
  /** The write, with the first invalid path if there is one. */
  readonly write: WriteOperation;
  readonly isAllowed: boolean;
}

/** The validations of stored values. */
const VALIDATIONS = new WeakMap<object, StoredValidation>();

/**
 * Decides a write of one stored value. First evaluates the `.validate` rules of the value in steps. `stored` is the
 * same object when the write is decided again after it has waited. Returns `undefined` if no value below the written
 * path can be invalid, or if the data that the rules read change too often. Throws `write/too-big` when the rules
 * exceed the work budget.
 */
export function decideStored(
  stored: object,
  proposed: StoredWrite,
): StoredDecision | { readonly kind: 'waits'; readonly wait: StoredValidation } | undefined {
  const { write, state } = proposed;
  const path = write.writes[0]?.path;
  if (path === undefined || !hasValidateBelow(state.rules, path)) return undefined;
  const work = new WorkBudget();
  if (!isWriteGranted(state.rules, write, work)) return { kind: 'decided', write, isAllowed: false };
  const validation = VALIDATIONS.get(stored) ?? new StoredValidation();
  VALIDATIONS.set(stored, validation);
  const validity = validation.findValidity(state);
  if (validity !== undefined) {
    const { invalidAt } = validity;
    if (!work.spend(validity.work)) throw tooMuchWorkError();
    if (invalidAt === null) return { kind: 'decided', write, isAllowed: true };
    return { kind: 'decided', write: { ...write, invalidAt }, isAllowed: false };
  }
  if (!validation.mayRun) return undefined;
  validation.begin(proposed);
  return { kind: 'waits', wait: validation };
}

/** Returns whether values below the path may have a `.validate`. */
function hasValidateBelow(rules: RuleSet, path: Path): boolean {
  let node: RuleNode | undefined = rules.root;
  for (const key of path) if (node !== undefined) node = findChildRule(node, key);
  return node !== undefined && (node.validated.length > 0 || node.wildcard?.node.hasValidate === true);
}

/** The result of the `.validate` rules of a write. */
interface Validity {
  /** The first invalid path; `null` if the value is valid. */
  readonly invalidAt: Path | null;
  /** Units of work that the rules have spent. */
  readonly work: number;
}

/** Evaluates the `.validate` rules of a value that is stored and not linked yet, in steps, from a snapshot. */
class StoredValidation {
  #attempts = 0;
  /** The write that the current or last run validates. */
  #proposed: StoredWrite | undefined;
  #validity: Validity | undefined;
  #failure: RequestError | undefined;
  #hasReadTree = false;
  #isRolledBack = false;
  #isStopped = false;

  /** Whether the value may be validated in steps once more. */
  get mayRun(): boolean {
    return this.#attempts < MAX_VALIDATIONS;
  }

  /** Sets what the next run validates. Its result does not count if the transaction of the write is rolled back. */
  begin(proposed: StoredWrite): void {
    this.#proposed = proposed;
    this.#isRolledBack = false;
    this.#attempts += 1;
    // Another commit gets the number of one that is rolled back.
    proposed.onRollback(() => {
      if (this.#proposed === proposed) this.#isRolledBack = true;
    });
  }

  /**
   * Returns the result of the last run if it holds in this state: the rules and the principal are the same, and either
   * nothing has changed, or the rules read nothing but the value. Throws the error that ended the run.
   */
  findValidity({ rules, identity, seq }: ValidationState): Validity | undefined {
    const before = this.#proposed?.state;
    if (before === undefined || this.#isRolledBack) return undefined;
    if (before.rules !== rules || before.identity !== identity) return undefined;
    if (this.#hasReadTree && before.seq !== seq) return undefined;
    if (this.#failure !== undefined) throw this.#failure;
    return this.#validity;
  }

  /** Validates the value. Never rejects with a `RequestError`. */
  async run(): Promise<void> {
    const { network = MANY_CLIENTS, compute } = must(this.#proposed, 'a validation has begun');
    await PLACES.enter(network);
    try {
      this.#validity = undefined;
      this.#failure = undefined;
      this.#hasReadTree = false;
      this.#validity = await compute(
        (tx) => this.#steps(tx),
        () => this.#isStopped,
      );
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.#failure = error;
    } finally {
      PLACES.leave(network);
    }
  }

  /** Ends the work. Idempotent. */
  stop(): void {
    this.#isStopped = true;
  }

  *#steps(tx: KvRead): Generator<undefined, Validity> {
    const { state, openWrite } = must(this.#proposed, 'a validation has begun');
    const write = openWrite(tx);
    const work = new WorkBudget();
    const total = work.left;
    const tree = new WatchedTree(write.tree, () => {
      this.#hasReadTree = true;
    });
    const steps = validationSteps(state.rules, { ...write, tree }, work);
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return { invalidAt: value, work: total - work.left };
      yield;
    }
  }
}

/** A tree that reports each read. */
class WatchedTree implements RuleTree {
  readonly #tree: RuleTree;
  readonly #onRead: () => void;

  constructor(tree: RuleTree, onRead: () => void) {
    this.#tree = tree;
    this.#onRead = onRead;
  }

  findValue(path: Path): IndexValue {
    this.#onRead();
    return this.#tree.findValue(path);
  }

  findPriority(path: Path): ReturnType<RuleTree['findPriority']> {
    this.#onRead();
    return this.#tree.findPriority(path);
  }

  firstKeys(path: Path, limit: number): ReturnType<RuleTree['firstKeys']> {
    this.#onRead();
    return this.#tree.firstKeys(path, limit);
  }
}
