import type { WorkBudget } from '../evaluate/work-budget.ts';
import type { RegularExpression } from '../syntax/regular-expression.ts';
import { AutomatonWalk, patternAutomaton } from './automaton.ts';
import { UnitClasses } from './code-units.ts';

/**
 * Limit on the cached data of one pattern, in table entries. When the cache exceeds it, the matcher clears
 * the cache and computes the data again.
 */
const MAX_CACHED_ENTRIES = 32_768;

/**
 * `MAX_CREDIT` is the number of steps that a new pattern may cache, and the maximum of its credit. Every
 * `UNITS_PER_CREDIT` matched code units add one step.
 */
const MAX_CREDIT = 4096;
const UNITS_PER_CREDIT = 64;

/**
 * Units of work for each code unit, for each state that is met, and in addition for each state beyond
 * `FEW_STATES`.
 */
const UNIT_WORK = 2;
const STATE_WORK = 1;
const FEW_STATES = 5;
const FURTHER_STATE_WORK = 3;

/** The states that the automaton may be in at the same time, with the transitions from there. */
interface StateSet {
  /** The states that wait for a code unit. */
  readonly waiting: readonly number[];
  readonly isAccepting: boolean;
  /** Number of states that the walk met to compute this set. */
  readonly met: number;
  readonly work: number;
  /** Whether the pattern matches, when no further text can change the result. Otherwise `undefined`. */
  readonly result: boolean | undefined;
  /** By class of code unit. Holds only the transitions that were needed so far. */
  readonly next: (StateSet | undefined)[];
}

/**
 * Searches texts for a pattern in time linear in the text. Each code unit costs a table lookup or, the first
 * time, a step of every state that the automaton may be in. When nearly every step is a new one, the matcher
 * computes steps without caching them.
 */
export class RegularExpressionMatcher {
  /** Number of distinct sets of code units in the pattern. */
  readonly setCount: number;
  readonly #expression: RegularExpression;
  readonly #classes: UnitClasses;
  readonly #walk: AutomatonWalk;
  /** State sets by hash. */
  readonly #known = new Map<number, readonly StateSet[]>();
  #cachedEntries = 0;
  #credit = MAX_CREDIT;
  #steps = 0;
  #cachedStepCount = 0;
  #start: StateSet;

  constructor(expression: RegularExpression) {
    this.#expression = expression;
    const automaton = patternAutomaton(expression);
    // Repeated pieces share their sets.
    const sets = new Set(automaton.states.flatMap((state) => (state.kind === 'units' ? [state.units] : [])));
    this.setCount = sets.size;
    this.#classes = new UnitClasses(sets);
    this.#walk = new AutomatonWalk(automaton, [...sets], this.#classes);
    this.#walk.begin();
    this.#start = this.#internStateSet();
  }

  /** Number of states met so far. Transitions found in tables are not counted. */
  get steps(): number {
    return this.#steps;
  }

  /** Number of steps so far whose results were cached. */
  get cachedStepCount(): number {
    return this.#cachedStepCount;
  }

  /**
   * Returns whether the text contains the pattern, or `undefined` if too little work is left to decide. The
   * work depends only on the pattern and the text, not on the contents of the tables.
   */
  matches(text: string, work?: WorkBudget): boolean | undefined {
    const bound = work?.left ?? Number.POSITIVE_INFINITY;
    let set = this.#start;
    let spent = set.work;
    let i = 0;
    for (; i < text.length && set.result === undefined && spent <= bound; i++) {
      const unitClass = this.#classes.classOf(text.charCodeAt(i));
      const next = set.next[unitClass];
      if (next === undefined && this.#credit === 0) return this.#matchUncached(set, text, i, spent, work);
      set = next ?? this.#step(set, unitClass);
      spent += set.work;
    }
    this.#earnCredit(i);
    if (work?.spend(spent) === false) return undefined;
    return i === text.length ? set.isAccepting : set.result;
  }

  /** Matches the rest of the text without caching. */
  #matchUncached(
    set: StateSet,
    text: string,
    from: number,
    spentBefore: number,
    work: WorkBudget | undefined,
  ): boolean | undefined {
    const bound = work?.left ?? Number.POSITIVE_INFINITY;
    const walk = this.#walk;
    let waiting: ArrayLike<number> = set.waiting;
    let count = set.waiting.length;
    let spent = spentBefore;
    let decision = set.result;
    let i = from;
    for (; i < text.length && decision === undefined && spent <= bound; i++) {
      walk.step(waiting, count, this.#classes.classOf(text.charCodeAt(i)), !this.#expression.isAtStart);
      this.#steps += walk.met;
      spent += workOf(walk.met);
      ({ waiting, count } = walk);
      decision = this.#decisionOf(count, walk.isAccepting);
    }
    this.#earnCredit(i);
    if (work?.spend(spent) === false) return undefined;
    return i === text.length ? walk.isAccepting : decision;
  }

  /** Adds credit for cached steps, in proportion to the code units that were matched. */
  #earnCredit(units: number): void {
    this.#credit = Math.min(MAX_CREDIT, this.#credit + Math.floor(units / UNITS_PER_CREDIT));
  }

  #step(set: StateSet, unitClass: number): StateSet {
    this.#credit--;
    this.#cachedStepCount++;
    this.#walk.step(set.waiting, set.waiting.length, unitClass, !this.#expression.isAtStart);
    this.#steps += this.#walk.met;
    const next = this.#internStateSet();
    set.next[unitClass] = next;
    return next;
  }

  /**
   * Returns the state set for the result of the walk. The same states in the same order give the same object
   * as long as it is cached.
   */
  #internStateSet(): StateSet {
    const { count, met: visitedCount, isAccepting } = this.#walk;
    const waiting = Array.from(this.#walk.waiting.subarray(0, count));
    const hash = hashOf(waiting);
    const known = this.#known
      .get(hash)
      ?.find((set) => set.met === visitedCount && isSameSet(set, waiting, isAccepting));
    if (known !== undefined) return known;
    const entries = waiting.length + this.#classes.count;
    if (this.#cachedEntries + entries > MAX_CACHED_ENTRIES) this.#clearCache();
    const work = workOf(visitedCount);
    const set = {
      waiting,
      isAccepting,
      met: visitedCount,
      work,
      result: this.#decisionOf(count, isAccepting),
      next: [],
    };
    this.#known.set(hash, [...(this.#known.get(hash) ?? []), set]);
    this.#cachedEntries += entries;
    return set;
  }

  #decisionOf(waiting: number, isAccepting: boolean): boolean | undefined {
    if (isAccepting && !this.#expression.isAtEnd) return true;
    return this.#expression.isAtStart && waiting === 0 ? false : undefined;
  }

  #clearCache(): void {
    this.#known.clear();
    this.#cachedEntries = 0;
    this.#start = { ...this.#start, next: [] };
  }
}

/**
 * Returns the units of work for one code unit at which the walk visits `visitedCount` states. Small sets cost less,
 * because they are nearly always cached.
 */
function workOf(visitedCount: number): number {
  return UNIT_WORK + STATE_WORK * visitedCount + FURTHER_STATE_WORK * Math.max(0, visitedCount - FEW_STATES);
}

function hashOf(waiting: readonly number[]): number {
  let hash = waiting.length;
  for (const index of waiting) hash = (Math.imul(hash, 31) + index) | 0;
  return hash;
}

function isSameSet(set: StateSet, waiting: readonly number[], isAccepting: boolean): boolean {
  if (set.isAccepting !== isAccepting || set.waiting.length !== waiting.length) return false;
  for (let i = 0; i < waiting.length; i++) if (set.waiting[i] !== waiting[i]) return false;
  return true;
}
