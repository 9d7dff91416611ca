import type { Pattern, RegularExpression, Repeat } from '../syntax/regular-expression.ts';
import { type CodeUnits, hasCodeUnit, patternUnits, type UnitClasses } from './code-units.ts';

/** A state of the automaton. Its index identifies it. */
export type AutomatonState =
  | { readonly kind: 'accept' }
  /** Consumes one code unit of the set and continues at `next`. */
  | { readonly kind: 'units'; readonly units: CodeUnits; readonly next: number }
  /** Continues at several states in parallel, without consuming a code unit. */
  | { readonly kind: 'fork'; readonly next: readonly number[] };

/**
 * A Thompson automaton that matches a pattern. Its number of states is proportional to the length of the
 * pattern with its repeats written out.
 */
export interface PatternAutomaton {
  readonly start: number;
  readonly states: readonly AutomatonState[];
}

/** Returns the automaton of a pattern, without the anchors. */
export function patternAutomaton(expression: RegularExpression): PatternAutomaton {
  const states: AutomatonState[] = [{ kind: 'accept' }];
  const start = new AutomatonBuilder(states, expression.ignoresCase).add(expression.pattern, 0);
  return { start, states };
}

class AutomatonBuilder {
  readonly #states: AutomatonState[];
  readonly #ignoresCase: boolean;
  readonly #known = new Map<Pattern, CodeUnits>();

  constructor(states: AutomatonState[], ignoresCase: boolean) {
    this.#states = states;
    this.#ignoresCase = ignoresCase;
  }

  /** Adds states that match the pattern and continue at `next`. Returns the index of the first state. */
  add(pattern: Pattern, next: number): number {
    switch (pattern.kind) {
      case 'character':
      case 'any':
      case 'class':
        return this.#push({ kind: 'units', units: this.#unitsOf(pattern), next });
      case 'sequence':
        return pattern.pieces.reduceRight((after, piece) => this.add(piece, after), next);
      case 'alternation':
        return this.#push({ kind: 'fork', next: pattern.branches.map((branch) => this.add(branch, next)) });
      case 'repeat':
        return this.#addRepeat(pattern.piece, pattern.repeat, next);
      default:
        return pattern satisfies never;
    }
  }

  #addRepeat(piece: Pattern, { least, most }: Repeat, next: number): number {
    if (most === null) return this.#addUnbounded(piece, least, next);
    let start = next;
    for (let i = least; i < most; i++) {
      const entry = this.add(piece, start);
      start = this.#push({ kind: 'fork', next: [entry, next] });
    }
    for (let i = 0; i < least; i++) start = this.add(piece, start);
    return start;
  }

  /**
   * Adds a piece that repeats without limit. The last required copy is also the copy that repeats, so `+` needs
   * no more states than `*`.
   */
  #addUnbounded(piece: Pattern, least: number, next: number): number {
    const loop = this.#push({ kind: 'fork', next: [] });
    const entry = this.add(piece, loop);
    this.#states[loop] = { kind: 'fork', next: [entry, next] };
    let start = least === 0 ? loop : entry;
    for (let i = 1; i < least; i++) start = this.add(piece, start);
    return start;
  }

  #push(state: AutomatonState): number {
    return this.#states.push(state) - 1;
  }

  /** Returns the code units of a part of a pattern. Computes them once per part, even if the part repeats. */
  #unitsOf(pattern: Parameters<typeof patternUnits>[0]): CodeUnits {
    const known = this.#known.get(pattern) ?? patternUnits(pattern, this.#ignoresCase);
    this.#known.set(pattern, known);
    return known;
  }
}

const FORK = -1;
const ACCEPT = -2;

/** Walks through the states of an automaton. The constructor allocates all buffers once. */
export class AutomatonWalk {
  /**
   * The first `count` elements are the states that wait for a code unit, in the order in which the walk met
   * them.
   */
  waiting: Int32Array;
  count = 0;
  /** Number of states that the last step met. This is the cost of the step. */
  met = 0;
  isAccepting = false;
  readonly #start: number;
  readonly #classes: UnitClasses;
  readonly #sets: readonly CodeUnits[];
  /** For each state, the index of its set. States without a set have `FORK` or `ACCEPT`. */
  readonly #setOf: Int32Array;
  /**
   * For each state, the index in `#next` of its first successor. Its successors end where those of the
   * following state begin.
   */
  readonly #firstNext: Int32Array;
  readonly #next: Int32Array;
  /** For each class of code units, one bit per set that contains the class. Computed on first use. */
  readonly #matchingSets: (Uint32Array | undefined)[] = [];
  /** For each state, the number of the last step that met it. */
  readonly #lastVisitStep: Float64Array;
  readonly #stack: Int32Array;
  #spare: Int32Array;
  #steps = 0;

  constructor(automaton: PatternAutomaton, sets: readonly CodeUnits[], classes: UnitClasses) {
    const { length } = automaton.states;
    this.#start = automaton.start;
    this.#classes = classes;
    this.#sets = sets;
    const indexes = new Map(sets.map((units, index) => [units, index] as const));
    this.#setOf = Int32Array.from(automaton.states, (state) =>
      state.kind === 'units' ? (indexes.get(state.units) ?? 0) : state.kind === 'fork' ? FORK : ACCEPT,
    );
    const next = automaton.states.map(nextOf);
    this.#next = Int32Array.from(next.flat());
    this.#firstNext = new Int32Array(length + 1);
    for (const [index, { length }] of next.entries())
      this.#firstNext[index + 1] = (this.#firstNext[index] ?? 0) + length;
    this.#lastVisitStep = new Float64Array(length);
    this.#stack = new Int32Array(length);
    this.#spare = new Int32Array(length);
    this.waiting = new Int32Array(length);
  }

  /** Enters the states that the start state reaches without a code unit. */
  begin(): void {
    this.#clear();
    this.#visit(this.#start);
  }

  /**
   * Advances the first `count` states of `from` by one code unit. With `fromStart`, also enters the start state,
   * because a match may begin anywhere.
   */
  step(from: ArrayLike<number>, count: number, unitClass: number, fromStart: boolean): void {
    const matchingSets = this.#matchingSets[unitClass] ?? this.#computeMatchingSets(unitClass);
    this.#clear();
    if (fromStart) this.#visit(this.#start);
    for (let i = 0; i < count; i++) {
      const index = from[i] ?? 0;
      const set = this.#setOf[index] ?? 0;
      if (((matchingSets[set >> 5] ?? 0) & (1 << (set & 31))) !== 0)
        this.#visit(this.#next[this.#firstNext[index] ?? 0] ?? 0);
    }
  }

  /**
   * Resets the walk for a new step. The result of the last step stays intact, because the new step starts
   * from it.
   */
  #clear(): void {
    this.#steps++;
    const { waiting } = this;
    this.waiting = this.#spare;
    this.#spare = waiting;
    this.count = 0;
    this.met = 0;
    this.isAccepting = false;
  }

  /** Adds a state and all states that it reaches without a code unit. */
  #visit(first: number): void {
    const stack = this.#stack;
    const next = this.#next;
    const firstNext = this.#firstNext;
    let height = this.#push(first, 0);
    while (height > 0) {
      const index = stack[--height] ?? 0;
      const set = this.#setOf[index] ?? 0;
      if (set >= 0) this.waiting[this.count++] = index;
      else if (set === ACCEPT) this.isAccepting = true;
      else {
        const end = firstNext[index + 1] ?? 0;
        for (let i = firstNext[index] ?? 0; i < end; i++) height = this.#push(next[i] ?? 0, height);
      }
    }
  }

  /** Pushes a state unless this step already met it. Returns the height of the stack. */
  #push(index: number, height: number): number {
    if (this.#lastVisitStep[index] === this.#steps) return height;
    this.#lastVisitStep[index] = this.#steps;
    this.met++;
    this.#stack[height] = index;
    return height + 1;
  }

  #computeMatchingSets(unitClass: number): Uint32Array {
    const unit = this.#classes.representativeOf(unitClass);
    const matchingSets = new Uint32Array((this.#sets.length >> 5) + 1);
    for (const [set, units] of this.#sets.entries())
      if (hasCodeUnit(units, unit))
        matchingSets[set >> 5] = (matchingSets[set >> 5] ?? 0) | (1 << (set & 31));
    this.#matchingSets[unitClass] = matchingSets;
    return matchingSets;
  }
}

function nextOf(state: AutomatonState): readonly number[] {
  if (state.kind === 'accept') return [];
  return state.kind === 'fork' ? state.next : [state.next];
}
