import type { WorkBudget } from '../evaluate/work-budget.ts';
import type { RegularExpression } from '../syntax/regular-expression.ts';
import { AutomatonWalk, patternAutomaton } from './automaton.ts';
import { UnitClasses } from './code-units.ts';

/** Bound of what is kept of a pattern, in entries of tables. What is beyond it is forgotten and made again. */
const MAX_CACHED_ENTRIES = 32_768;

/** Steps whose outcome is kept, at most, when a pattern is new; and how many code units earn one more. */
const MAX_CREDIT = 4096;
const UNITS_PER_CREDIT = 64;

/** Units of work for each code unit, for each state that is met, and for each more of those beyond a few. */
const UNIT_WORK = 2;
const STATE_WORK = 1;
const FEW_STATES = 5;
const FURTHER_STATE_WORK = 3;

/** States that the automaton may be in at once, and where it goes from there. */
interface StateSet {
  /** Those that wait for a code unit. */
  readonly waiting: readonly number[];
  readonly isAccepting: boolean;
  /** States that were met to find it. */
  readonly met: number;
  readonly work: number;
  /** Whether the pattern is found, if more text follows and cannot change it. */
  readonly result: boolean | undefined;
  /** By class of code unit, as far as it was needed. */
  readonly next: (StateSet | undefined)[];
}

/**
 * Looks for a pattern in texts, in time linear in the text: each code unit costs a look into a table, or, the first time, a
 * step of every state that the automaton may be in. Where nearly every step is another, steps are made and not kept.
 */
export class RegularExpressionMatcher {
  /** Different sets of code units in the pattern. */
  readonly setCount: number;
  readonly #expression: RegularExpression;
  readonly #classes: UnitClasses;
  readonly #walk: AutomatonWalk;
  /** By hash. */
  readonly #known = new Map<number, readonly StateSet[]>();
  #cachedEntries = 0;
  #credit = MAX_CREDIT;
  #steps = 0;
  #kept = 0;
  #start: StateSet;

  constructor(expression: RegularExpression) {
    this.#expression = expression;
    const automaton = patternAutomaton(expression);
    // Repeats share their sets.
    const sets = new Set(automaton.states.flatMap((state) => (state.kind === 'units' ? [state.units] : [])));
    this.setCount = sets.size;
    this.#classes = new UnitClasses(sets);
    this.#walk = new AutomatonWalk(automaton, [...sets], this.#classes);
    this.#walk.begin();
    this.#start = this.#keep();
  }

  /** States met so far; the rest was found in tables. */
  get steps(): number {
    return this.#steps;
  }

  /** Steps so far whose outcome was kept. */
  get kept(): number {
    return this.#kept;
  }

  /**
   * Is the pattern in the text? `undefined` if too little work is left to know. The work depends on the pattern and the text
   * only, not on what is in tables.
   */
  matches(text: string, work?: WorkBudget): boolean | undefined {
    const bound = work?.left ?? Number.POSITIVE_INFINITY;
    let set = this.#start;
    let spent = set.work;
    let i = 0;
    for (; i < text.length && set.result === undefined && spent <= bound; i++) {
      const unitClass = this.#classes.classOf(text.charCodeAt(i));
      const next = set.next[unitClass];
      if (next === undefined && this.#credit === 0) return this.#matchRest(set, text, i, spent, work);
      set = next ?? this.#step(set, unitClass);
      spent += set.work;
    }
    this.#earn(i);
    if (work?.spend(spent) === false) return undefined;
    return i === text.length ? set.isAccepting : set.result;
  }

  /** Goes on without keeping anything. */
  #matchRest(
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
    this.#earn(i);
    if (work?.spend(spent) === false) return undefined;
    return i === text.length ? walk.isAccepting : decision;
  }

  /** What was matched allows to keep more. */
  #earn(units: number): void {
    this.#credit = Math.min(MAX_CREDIT, this.#credit + Math.floor(units / UNITS_PER_CREDIT));
  }

  #step(set: StateSet, unitClass: number): StateSet {
    this.#credit--;
    this.#kept++;
    this.#walk.step(set.waiting, set.waiting.length, unitClass, !this.#expression.isAtStart);
    this.#steps += this.#walk.met;
    this.#steps += this.#walk.met;
    const next = this.#keep();
    set.next[unitClass] = next;
    return next;
  }

  /** What the walk came to: the same object for the same states in the same order, as long as it is kept. */
  #keep(): StateSet {
    const { count, met, isAccepting } = this.#walk;
    const waiting = Array.from(this.#walk.waiting.subarray(0, count));
    const hash = hashOf(waiting);
    const known = this.#known
      .get(hash)
      ?.find((set) => set.met === met && isSameSet(set, waiting, isAccepting));
    if (known !== undefined) return known;
    const entries = waiting.length + this.#classes.count;
    if (this.#cachedEntries + entries > MAX_CACHED_ENTRIES) this.#forget();
    const work = workOf(met);
    const set = { waiting, isAccepting, met, work, result: this.#decisionOf(count, isAccepting), next: [] };
    this.#known.set(hash, [...(this.#known.get(hash) ?? []), set]);
    this.#cachedEntries += entries;
    return set;
  }

  #decisionOf(waiting: number, isAccepting: boolean): boolean | undefined {
    if (isAccepting && !this.#expression.isAtEnd) return true;
    return this.#expression.isAtStart && waiting === 0 ? false : undefined;
  }

  #forget(): void {
    this.#known.clear();
    this.#cachedEntries = 0;
    this.#start = { ...this.#start, next: [] };
  }
}

/** Units of work for a code unit with which so many states are met: sets of few are nearly always known already. */
function workOf(met: number): number {
  return UNIT_WORK + STATE_WORK * met + FURTHER_STATE_WORK * Math.max(0, met - FEW_STATES);
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
