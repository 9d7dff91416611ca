import type { Random } from '../../../scripts/random.ts';
import type { Client } from '../client/client.ts';
import { canonicalJson, isRecord, type Json } from '../client/json.ts';
import { type Operation, OperationSource, type Row, type RowText } from './operation.ts';

/** A promise that the server broke, with details for debugging. */
export type Violation = {
  /**
   * `lost`: an acknowledged write is missing. `torn`: only a part of an update is present. `unexplained`: no
   * prefix of the writer's requests results in the data. `index`: a query disagrees with the data. `refused`:
   * the server rejected a valid request. `start`: the server did not start in time. `ended`: the run could not continue.
   */
  readonly kind: 'lost' | 'torn' | 'unexplained' | 'index' | 'refused' | 'start' | 'ended';
  readonly round: number;
  readonly detail: string;
};

/**
 * The requests of one writer in a round, and how many of them were acknowledged before the server was killed.
 */
export type History = {
  readonly before: ReadonlyMap<string, string>;
  readonly operations: readonly Operation[];
  readonly acknowledged: number;
};

/**
 * Returns the requests of a writer that the server has not rejected, with the effects that they have without the
 * rejected ones.
 */
export function withoutRejected(
  before: ReadonlyMap<string, string>,
  operations: readonly Operation[],
  isRejected: (index: number) => boolean,
): readonly Operation[] {
  const rows = new Map<string, RowText>(before);
  return operations.flatMap((operation, index) => {
    if (isRejected(index)) return [];
    const { changed } = operation;
    const effects =
      changed === undefined
        ? operation.effects
        : new Map([[changed.path, mergeRow(rows.get(changed.path), changed.children)]]);
    for (const [path, text] of effects) rows.set(path, text);
    return [{ ...operation, effects }];
  });
}

function mergeRow(row: RowText, children: Row): string {
  const existing: unknown = row === undefined ? {} : JSON.parse(row);
  return canonicalJson({ ...(isRecord(existing) ? existing : {}), ...children });
}

const DETAILS_PER_WRITER = 5;

/** Versions of a row that the round did not change, and of a row whose value no request explains. */
const UNTOUCHED = -1;
const UNWRITTEN = -2;

/**
 * Compares the rows that exist after a crash with the requests of the writer. A correct server leaves the
 * rows in the state after some prefix of the requests that contains at least every acknowledged one. Returns
 * violations for every other state.
 */
export function explainState(
  history: History,
  found: ReadonlyMap<string, string>,
  round: number,
): readonly Violation[] {
  if (isPrefixState(history, found)) return [];
  const versions = findVersions(history, found);
  const problems: Violation[] = [];
  for (const [path, version] of versions) {
    const due = lastTouch(history, path, history.acknowledged);
    if (version === UNWRITTEN && found.has(path)) {
      problems.push({
        kind: 'torn',
        round,
        detail: `${path} has a value that no request wrote: ${found.get(path)?.slice(0, 100)}`,
      });
    } else if (version < due || version === UNWRITTEN) {
      problems.push({
        kind: 'lost',
        round,
        detail: `${path} lacks acknowledged request ${due} of ${history.operations.length}`,
      });
    }
  }
  history.operations.forEach((operation, index) => {
    const seen = [...operation.effects.keys()].map((path) => versions.get(path) ?? UNTOUCHED);
    if (seen.includes(index) && seen.some((version) => version < index)) {
      const paths = [...operation.effects.keys()].join(' ');
      problems.push({ kind: 'torn', round, detail: `only a part of request ${index} is present: ${paths}` });
    }
  });
  if (problems.length > 0) return problems.slice(0, DETAILS_PER_WRITER);
  return [
    {
      kind: 'unexplained',
      round,
      detail: `no prefix of ${history.operations.length} requests results in this data`,
    },
  ];
}

/**
 * Returns whether `found` is the state after some prefix that contains at least the acknowledged requests.
 */
function isPrefixState(history: History, found: ReadonlyMap<string, string>): boolean {
  const state = new Map<string, string>(history.before);
  const different = new Set<string>();
  const compare = (path: string): void => {
    if (state.get(path) === found.get(path)) different.delete(path);
    else different.add(path);
  };
  for (const path of [...state.keys(), ...found.keys()]) compare(path);
  for (let length = 0; length <= history.operations.length; length += 1) {
    if (length >= history.acknowledged && different.size === 0) return true;
    for (const [path, text] of history.operations[length]?.effects ?? []) {
      if (text === undefined) state.delete(path);
      else state.set(path, text);
      compare(path);
    }
  }
  return false;
}

/**
 * Returns, for each row, the latest request that explains its value: an index, `UNTOUCHED` or `UNWRITTEN`.
 */
function findVersions(history: History, found: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  const versions = new Map<string, number>();
  const recordRow = (path: string, text: RowText, version: number): void => {
    if (found.get(path) === text) versions.set(path, version);
    else if (!versions.has(path)) versions.set(path, UNWRITTEN);
  };
  for (const [path, text] of history.before) recordRow(path, text, UNTOUCHED);
  for (const operation of history.operations) {
    for (const path of operation.effects.keys())
      if (!history.before.has(path)) recordRow(path, undefined, UNTOUCHED);
  }
  history.operations.forEach((operation, index) => {
    for (const [path, text] of operation.effects) recordRow(path, text, index);
  });
  return versions;
}

function lastTouch(history: History, path: string, length: number): number {
  return history.operations.slice(0, length).findLastIndex((operation) => operation.effects.has(path));
}

const OUTSTANDING = 32;

/**
 * A client that writes as fast as responses arrive, and records its requests and how many of them were
 * acknowledged.
 */
export class Writer {
  readonly name: string;
  readonly #random: Random;
  #rows: ReadonlyMap<string, string> = new Map();
  #nextNumber = 1;

  constructor(name: string, random: Random) {
    this.name = name;
    this.#random = random;
  }

  /** Sets the current rows of the writer. Must be called before each run. */
  adopt(rows: ReadonlyMap<string, string>): void {
    this.#rows = rows;
  }

  /** Writes until the connection ends or a request is rejected. `requestError` describes a rejected request. */
  async run(
    client: Client,
  ): Promise<{ readonly history: History; readonly requestError: string | undefined }> {
    const before = this.#rows;
    const parsed = [...before].map(([path, text]): [string, { [key: string]: Json }] => [
      path,
      JSON.parse(text),
    ]);
    const source = new OperationSource(this.name, this.#random, new Map(parsed), this.#nextNumber);
    const operations: Operation[] = [];
    let acknowledged = 0;
    let requestError: string | undefined;
    const writeInOrder = async (): Promise<void> => {
      while (client.isOpen && requestError === undefined) {
        const operation = source.next();
        operations.push(operation);
        const outcome = await client.request(operation.action, operation.body);
        if (outcome.kind === 'ok') acknowledged += 1;
        if (outcome.kind === 'refused')
          requestError = `${outcome.status}: ${outcome.text} for ${JSON.stringify(operation.body).slice(0, 300)}`;
      }
    };
    await Promise.all(Array.from({ length: OUTSTANDING }, writeInOrder));
    this.#nextNumber = source.nextNumber;
    return { history: { before, operations, acknowledged }, requestError };
  }
}
