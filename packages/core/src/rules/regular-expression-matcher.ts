import { hasCodeUnit } from './code-units.ts';
import { type PatternAutomaton, patternAutomaton } from './pattern-automaton.ts';
import type { RegularExpression } from './regular-expression.ts';
import { UnitClasses } from './unit-classes.ts';

/** Bound of the work of one match, in states of the automaton looked at: a fraction of a second. */
const MAX_WORK = 16_777_216;

/** Bound of what is kept of a pattern, in entries of tables. What is beyond it is forgotten and made again. */
const MAX_KEPT_ENTRIES = 32_768;

/** States that the automaton may be in at once, and where it goes from there. */
interface StateSet {
  /** Those that wait for a code unit. */
  readonly waiting: readonly number[];
  readonly isAccepting: boolean;
  /** Whether the pattern is found, if more text follows and cannot change it. */
  readonly verdict: boolean | undefined;
  /** By class of code unit, as far as it was needed. */
  readonly next: (StateSet | undefined)[];
}

/**
 * Looks for a pattern in texts, in time linear in the text: each code unit costs a look into a table, or, the first time, a
 * step of every state that the automaton may be in.
 */
export class RegularExpressionMatcher {
  /** Longest text that may be matched: the time for a longer one has no bound that is short. */
  readonly maxUnits: number;
  readonly #expression: RegularExpression;
  readonly #automaton: PatternAutomaton;
  readonly #classes: UnitClasses;
  /** The last walk that met a state. */
  readonly #metBy: Float64Array;
  /** By hash. */
  readonly #known = new Map<number, readonly StateSet[]>();
  #walks = 0;
  #keptEntries = 0;
  #steps = 0;
  #start: StateSet;

  constructor(expression: RegularExpression) {
    this.#expression = expression;
    this.#automaton = patternAutomaton(expression);
    const { states, start } = this.#automaton;
    this.#classes = new UnitClasses(states.flatMap((state) => (state.kind === 'units' ? [state.units] : [])));
    this.#metBy = new Float64Array(states.length);
    this.maxUnits = Math.floor(MAX_WORK / states.length);
    this.#start = this.#setOf([start]);
  }

  /** Steps made so far, of single states; the rest was found in tables. */
  get steps(): number {
    return this.#steps;
  }

  matches(text: string): boolean {
    let set = this.#start;
    for (let i = 0; i < text.length; i++) {
      if (set.verdict !== undefined) return set.verdict;
      const unitClass = this.#classes.classOf(text.charCodeAt(i));
      set = set.next[unitClass] ?? this.#step(set, unitClass);
    }
    return set.isAccepting;
  }

  #step(set: StateSet, unitClass: number): StateSet {
    const unit = this.#classes.exampleOf(unitClass);
    // Without an anchor, a match may begin anywhere.
    const reached = this.#expression.isAtStart ? [] : [this.#automaton.start];
    for (const index of set.waiting) {
      const state = this.#automaton.states[index];
      if (state?.kind === 'units' && hasCodeUnit(state.units, unit)) reached.push(state.next);
    }
    this.#steps += set.waiting.length;
    const next = this.#setOf(reached);
    set.next[unitClass] = next;
    return next;
  }

  /** The set of what can be reached without a code unit. Empties `reached`. */
  #setOf(reached: number[]): StateSet {
    const walk = ++this.#walks;
    const waiting: number[] = [];
    let isAccepting = false;
    for (let index = reached.pop(); index !== undefined; index = reached.pop()) {
      if (this.#metBy[index] === walk) continue;
      this.#metBy[index] = walk;
      const state = this.#automaton.states[index];
      if (state?.kind === 'units') waiting.push(index);
      else if (state?.kind === 'fork') for (const next of state.next) reached.push(next);
      else isAccepting = true;
    }
    return this.#keep(waiting, isAccepting);
  }

  /** The same object for the same states in the same order, as long as it is kept. */
  #keep(waiting: readonly number[], isAccepting: boolean): StateSet {
    const hash = hashOf(waiting);
    const known = this.#known.get(hash)?.find((set) => isSameSet(set, waiting, isAccepting));
    if (known !== undefined) return known;
    const entries = waiting.length + this.#classes.count;
    if (this.#keptEntries + entries > MAX_KEPT_ENTRIES) this.#forget();
    const set = { waiting, isAccepting, verdict: this.#verdictOf(waiting, isAccepting), next: [] };
    this.#known.set(hash, [...(this.#known.get(hash) ?? []), set]);
    this.#keptEntries += entries;
    return set;
  }

  #verdictOf(waiting: readonly number[], isAccepting: boolean): boolean | undefined {
    if (isAccepting && !this.#expression.isAtEnd) return true;
    return this.#expression.isAtStart && waiting.length === 0 ? false : undefined;
  }

  #forget(): void {
    this.#known.clear();
    this.#keptEntries = 0;
    this.#start = { ...this.#start, next: [] };
  }
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
