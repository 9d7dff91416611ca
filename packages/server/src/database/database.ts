import type { RuleSet } from '@hearth/core/rules/rule-set.ts';
import { DatabaseActivity } from '../activity/database-activity.ts';
import type { Turn } from '../commit/turn.ts';
import { ListenRegistry } from './listen-registry.ts';
import type { Profiler } from './profiler.ts';
import type { DatabaseTree } from './tree-view.ts';
import type { DatabaseTriggers } from './triggers/database-triggers.ts';
import type { VerdictObserver } from './verdict-observer.ts';

/** Somebody whose reads have to be decided again when the rules change. */
export interface Reader {
  recheckReads(turn: Turn): void;
}

/** One database as it is served: its rules, who listens, and the way to its tree. */
export class Database {
  readonly name: string;
  readonly listens = new ListenRegistry();
  readonly readers = new Set<Reader>();
  /** Those who look through the eyes of others, without being connected. */
  readonly onlookers = new Set<Reader>();
  readonly activity = new DatabaseActivity(() => this.readers.size);
  /** While somebody watches what is done. */
  profiler: Profiler | null = null;
  /** `null` where writes trigger nothing. */
  triggers: DatabaseTriggers | null = null;
  /** `null` where nobody keeps what rules say. */
  verdicts: VerdictObserver | null = null;
  /** For how long things take. */
  readonly elapsedMs: () => number;
  readonly #openTree: (turn: Turn) => DatabaseTree;
  #rules: RuleSet;

  constructor(
    name: string,
    rules: RuleSet,
    openTree: (turn: Turn) => DatabaseTree,
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

  /** The tree within one turn. */
  tree(turn: Turn): DatabaseTree {
    return this.#openTree(turn);
  }

  /** Puts other rules in force and decides all reads again. */
  replaceRules(turn: Turn, rules: RuleSet): void {
    const before = this.#rules;
    this.#rules = rules;
    turn.onUndo(() => {
      this.#rules = before;
    });
    for (const reader of [...this.readers, ...this.onlookers]) reader.recheckReads(turn);
  }

  /** Is nobody connected, so that little is lost by forgetting this object? */
  get isIdle(): boolean {
    return (
      this.readers.size === 0 &&
      this.listens.count === 0 &&
      this.profiler === null &&
      !this.activity.isWatched
    );
  }
}
