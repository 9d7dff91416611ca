import type { RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { DecisionObserver } from '../../rules/decision.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { DatabaseActivity } from '../monitoring/database-activity.ts';
import type { Profiler } from '../monitoring/profiler.ts';
import type { DatabaseTriggers } from '../triggers/triggers.ts';
import { ListenRegistry } from './listens.ts';
import type { DatabaseTree } from './tree-view.ts';

/** A reader whose reads are authorized again when the rules change. */
export interface Reader {
  recheckReads(transaction: WriteTransaction): void;
}

/** An open database: its rules, its listens and sessions, and access to its tree. */
export class Database {
  readonly name: string;
  readonly listens = new ListenRegistry();
  readonly readers = new Set<Reader>();
  /** Subscribers that impersonate a user without being connected. */
  readonly ruleSubscribers = new Set<Reader>();
  readonly activity = new DatabaseActivity(() => this.readers.size);
  /** Set while an administrator profiles the database. */
  profiler: Profiler | null = null;
  /** `null` if writes trigger no functions. */
  triggers: DatabaseTriggers | null = null;
  /** `null` if rule decisions are not recorded. */
  decisions: DecisionObserver | null = null;
  /** A monotonic clock for measuring durations, in ms. */
  readonly elapsedMs: () => number;
  readonly #openTree: (transaction: WriteTransaction) => DatabaseTree;
  #rules: RuleSet;

  constructor(
    name: string,
    rules: RuleSet,
    openTree: (transaction: WriteTransaction) => DatabaseTree,
    elapsedMs: () => number = () => 0,
  ) {
    this.name = name;
    this.#rules = rules;
    this.#openTree = openTree;
    this.elapsedMs = elapsedMs;
  }

  get rules(): RuleSet {
    return this.#rules;
  }

  /** Opens the tree within one transaction. */
  tree(transaction: WriteTransaction): DatabaseTree {
    return this.#openTree(transaction);
  }

  /** Makes other rules take effect and authorizes all reads again. */
  replaceRules(transaction: WriteTransaction, rules: RuleSet): void {
    const before = this.#rules;
    this.#rules = rules;
    transaction.onRollback(() => {
      this.#rules = before;
    });
    for (const reader of [...this.readers, ...this.ruleSubscribers]) reader.recheckReads(transaction);
  }

  /** Whether no session is connected, so that discarding this object loses little. */
  get isIdle(): boolean {
    return (
      this.readers.size === 0 &&
      this.listens.count === 0 &&
      this.profiler === null &&
      !this.activity.isWatched
    );
  }
}
