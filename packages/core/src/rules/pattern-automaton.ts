import type { CodeUnits } from './code-units.ts';
import { patternUnits } from './pattern-units.ts';
import type { Pattern, RegularExpression, Repeat } from './regular-expression.ts';

/** Where an automaton may be, named by its index. */
export type AutomatonState =
  | { readonly kind: 'accept' }
  /** Goes on past a code unit of the set. */
  | { readonly kind: 'units'; readonly units: CodeUnits; readonly next: number }
  /** Goes on at several states at once, without a code unit. */
  | { readonly kind: 'fork'; readonly next: readonly number[] };

/** What a pattern is matched by, after Thompson: as large as the pattern with its repeats written out. */
export interface PatternAutomaton {
  readonly start: number;
  readonly states: readonly AutomatonState[];
}

/** The automaton of a pattern, without the anchors. */
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

  /** Adds what matches the pattern and goes on at `next`. Returns where it starts. */
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
    if (most === null) return this.#addEndless(piece, least, next);
    let start = next;
    for (let i = least; i < most; i++) {
      const entry = this.add(piece, start);
      start = this.#push({ kind: 'fork', next: [entry, next] });
    }
    for (let i = 0; i < least; i++) start = this.add(piece, start);
    return start;
  }

  /** The last piece that there has to be is the one that may come again: `+` is no larger than `*`. */
  #addEndless(piece: Pattern, least: number, next: number): number {
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

  /** Each part of a pattern is looked at once, however often it is repeated. */
  #unitsOf(pattern: Parameters<typeof patternUnits>[0]): CodeUnits {
    const known = this.#known.get(pattern) ?? patternUnits(pattern, this.#ignoresCase);
    this.#known.set(pattern, known);
    return known;
  }
}
