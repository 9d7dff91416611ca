import type { Random } from '../../../scripts/random.ts';
import { canonicalJson, type Json } from '../client/json.ts';

/** The value at a path after an operation, as canonical JSON text; `undefined` if there is no value. */
export type RowText = string | undefined;

/**
 * One request of a writer, and the resulting value of each row that it changes. Row paths are relative to
 * `/crash`.
 */
export type Operation = {
  readonly action: 'p' | 'm';
  readonly body: Json;
  readonly effects: ReadonlyMap<string, RowText>;
  /** The children that the request changes in a row. Absent if it replaces or removes rows. */
  readonly changed?: { readonly path: string; readonly children: Row };
};

export type Row = { readonly [key: string]: Json };

const KEYS_PER_FAMILY = 200;
const SCORES: readonly ((random: Random) => Json)[] = [
  (random) => random.below(40),
  (random) => random.below(1_000_000) / 7 - 50_000,
  (random) => `word${random.below(30)}`,
  (random) => random.below(2) === 0,
];

/**
 * Creates random requests of one writer. Rows of different writers never overlap, except that all `indexed`
 * rows share a parent.
 */
export class OperationSource {
  readonly #writer: string;
  readonly #random: Random;
  readonly #rows: Map<string, Row>;
  #number: number;

  /**
   * `rows` are the current rows of the writer. `firstNumber` must be greater than every number used before.
   */
  constructor(writer: string, random: Random, rows: ReadonlyMap<string, Row>, firstNumber: number) {
    this.#writer = writer;
    this.#random = random;
    this.#rows = new Map(rows);
    this.#number = firstNumber;
  }

  /** The number that the next operation writes into its rows. Every number is used once. */
  get nextNumber(): number {
    return this.#number;
  }

  /** Returns the next request. Assumes that the server executes every earlier one. */
  next(): Operation {
    const number = this.#number;
    this.#number += 1;
    const choice = this.#random.next();
    if (choice < 0.3) return this.#put(this.#single(), this.#row(number));
    if (choice < 0.55) return this.#put(this.#indexed(), { ...this.#row(number), ...this.#score() });
    if (choice < 0.65) return this.#patch(this.#indexed(), { n: number, ...this.#score() });
    if (choice < 0.7) return this.#put(this.#single(), null);
    if (choice < 0.75) return this.#put(this.#indexed(), null);
    return this.#update(number, choice);
  }

  /**
   * Returns a multi-path update of pairs that must always be equal. Some updates also change an indexed row,
   * and some remove rows.
   */
  #update(number: number, choice: number): Operation {
    const row = choice < 0.8 ? null : this.#row(number);
    const rows = new Map<string, Row | null>();
    const pairs = 1 + this.#random.below(3);
    for (let pair = 0; pair < pairs; pair += 1) {
      const key = this.#key();
      rows.set(`${this.#writer}/left/${key}`, row);
      rows.set(`${this.#writer}/right/${key}`, row);
    }
    if (choice > 0.9) rows.set(this.#indexed(), { ...this.#row(number), ...this.#score() });
    return {
      action: 'm',
      body: { p: '/crash', d: Object.fromEntries(rows) },
      effects: new Map([...rows].map(([path, value]) => [path, this.#remember(path, value)])),
    };
  }

  #put(path: string, row: Row | null): Operation {
    return {
      action: 'p',
      body: { p: `/crash/${path}`, d: row },
      effects: new Map([[path, this.#remember(path, row)]]),
    };
  }

  #patch(path: string, changes: Row): Operation {
    const row = { ...this.#rows.get(path), ...changes };
    return {
      action: 'm',
      body: { p: `/crash/${path}`, d: changes },
      effects: new Map([[path, this.#remember(path, row)]]),
      changed: { path, children: changes },
    };
  }

  #remember(path: string, row: Row | null): RowText {
    if (row === null) {
      this.#rows.delete(path);
      return undefined;
    }
    this.#rows.set(path, row);
    return canonicalJson(row);
  }

  #row(number: number): Row {
    // One row in twenty may be large, because servers may store small and large values differently.
    const length = this.#random.below(20) === 0 ? this.#random.below(4_000) : this.#random.below(120);
    return { n: number, text: 'x'.repeat(length) };
  }

  #score(): Row {
    const make = SCORES[this.#random.below(SCORES.length + 1)];
    return make === undefined ? {} : { score: make(this.#random) };
  }

  #key(): string {
    return `k${this.#random.below(KEYS_PER_FAMILY)}`;
  }

  #single(): string {
    return `${this.#writer}/single/${this.#key()}`;
  }

  #indexed(): string {
    return `indexed/${this.#writer}-${this.#key()}`;
  }
}
