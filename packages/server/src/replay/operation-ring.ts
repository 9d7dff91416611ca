import type { RecordedOperation } from './recorded-operation.ts';

/** What a ring holds at most; the oldest give way. */
export interface RingBound {
  readonly count: number;
  readonly bytes: number;
}

/** The latest operations of one database, within a bound. */
export class OperationRing {
  readonly #bound: RingBound;
  /** Those before `#first` are gone, and referred to no more. */
  #operations: (RecordedOperation | undefined)[] = [];
  #first = 0;
  #bytes = 0;
  /** Operations that were too long to be remembered. */
  notRecorded = 0;
  /** Operations that came too fast to be remembered. */
  sampledOut = 0;

  constructor(bound: RingBound) {
    this.#bound = bound;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Oldest first. */
  get operations(): readonly RecordedOperation[] {
    return this.#operations.filter((operation) => operation !== undefined);
  }

  add(operation: RecordedOperation): void {
    this.#operations.push(operation);
    this.#bytes += operation.bytes;
    while (this.#isOverfull) this.#dropOldest();
    // So that moving them costs little for each that was added.
    if (this.#first > this.#bound.count) {
      this.#operations = this.#operations.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Takes back what was added, if it is there. */
  remove(operation: RecordedOperation): void {
    const index = this.#operations.lastIndexOf(operation);
    if (index === -1) return;
    this.#operations.splice(index, 1);
    this.#bytes -= operation.bytes;
  }

  #dropOldest(): void {
    this.#bytes -= this.#operations[this.#first]?.bytes ?? 0;
    this.#operations[this.#first] = undefined;
    this.#first += 1;
  }

  get #isOverfull(): boolean {
    return this.#operations.length - this.#first > this.#bound.count || this.#bytes > this.#bound.bytes;
  }
}
