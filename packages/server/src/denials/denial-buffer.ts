import type { EncodedDenial } from './denial-table.ts';

/** Most bytes of entries that wait to be written, of all databases. */
const MAX_WAITING_BYTES = 8 * 2 ** 20;

/** Most that is taken at once: what one turn can write without keeping others waiting. */
const MAX_BATCH_ENTRIES = 100;
const MAX_BATCH_BYTES = 2 ** 18;

/** What is to be written for one database. */
export interface DenialBatch {
  readonly database: string;
  readonly entries: readonly EncodedDenial[];
  readonly sampledOut: number;
}

interface Waiting {
  readonly entries: EncodedDenial[];
  sampledOut: number;
}

/** Entries that wait to be written, within a bound; what finds no room is only counted. */
export class DenialBuffer {
  readonly #waiting = new Map<string, Waiting>();
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Returns how to take it back, which has no effect once it was taken out. */
  add(database: string, entry: EncodedDenial): () => void {
    if (this.#bytes + entry.json.length > MAX_WAITING_BYTES) return this.count(database);
    const { entries } = this.#of(database);
    entries.push(entry);
    this.#bytes += entry.json.length;
    return () => {
      const index = entries.lastIndexOf(entry);
      if (index === -1) return;
      entries.splice(index, 1);
      this.#bytes -= entry.json.length;
    };
  }

  /** Counts one that is not kept. Returns how to take that back. */
  count(database: string): () => void {
    const waiting = this.#of(database);
    waiting.sampledOut++;
    return () => {
      if (waiting.sampledOut > 0) waiting.sampledOut--;
    };
  }

  /** Takes out a batch of the database that has waited longest; `undefined` if nothing waits. */
  take(): DenialBatch | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    const [database, waiting] = first;
    this.#waiting.delete(database);
    const entries = waiting.entries.splice(0, batchLength(waiting.entries));
    for (const { json } of entries) this.#bytes -= json.length;
    const { sampledOut } = waiting;
    waiting.sampledOut = 0;
    // What is left waits behind others.
    if (waiting.entries.length > 0) this.#waiting.set(database, waiting);
    return { database, entries, sampledOut };
  }

  /** Puts back what could not be written, in front of what came later. */
  putBack({ database, entries, sampledOut }: DenialBatch): void {
    const waiting = this.#of(database);
    waiting.entries.unshift(...entries);
    waiting.sampledOut += sampledOut;
    for (const { json } of entries) this.#bytes += json.length;
  }

  #of(database: string): Waiting {
    const known = this.#waiting.get(database);
    if (known !== undefined) return known;
    const waiting: Waiting = { entries: [], sampledOut: 0 };
    this.#waiting.set(database, waiting);
    return waiting;
  }
}

function batchLength(entries: readonly EncodedDenial[]): number {
  let bytes = 0;
  const end = entries.findIndex(({ json }, index) => {
    bytes += json.length;
    return index > 0 && (index === MAX_BATCH_ENTRIES || bytes > MAX_BATCH_BYTES);
  });
  return end === -1 ? entries.length : end;
}
