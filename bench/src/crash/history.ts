import type { Client } from '../client/client.ts';
import type { Json } from '../client/json.ts';
import type { Random } from '../random.ts';
import { type Operation, OperationSource, type RowText } from './operation.ts';

/** A promise the server broke, with enough said to look for the reason. */
export type Violation = {
  /**
   * `lost`: an acknowledged write is not there. `torn`: only part of an update is there. `unexplained`: the data is what no
   * prefix of the writer's requests leaves. `index`: a query disagrees with the data. `denied`: a valid request was not accepted.
   */
  readonly kind: 'lost' | 'torn' | 'unexplained' | 'index' | 'refused';
  readonly round: number;
  readonly detail: string;
};

/** What one writer sent in a round, and how much of it was acknowledged before the server was killed. */
export type History = {
  readonly before: ReadonlyMap<string, string>;
  readonly operations: readonly Operation[];
  readonly acknowledged: number;
};

const DETAILS_PER_WRITER = 5;

/** Version of a row that the round found untouched, and of one that nothing in its history explains. */
const UNTOUCHED = -1;
const UNWRITTEN = -2;

/**
 * Compares the rows found after a crash with what the writer did. A truthful server leaves the rows as they are after
 * some prefix of the requests that holds at least every acknowledged one; anything else is returned as violations.
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
        detail: `${path} holds what no request leaves there: ${found.get(path)?.slice(0, 100)}`,
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
      problems.push({ kind: 'torn', round, detail: `request ${index} is there in part only: ${paths}` });
    }
  });
  if (problems.length > 0) return problems.slice(0, DETAILS_PER_WRITER);
  return [
    {
      kind: 'unexplained',
      round,
      detail: `no prefix of ${history.operations.length} requests leaves this data`,
    },
  ];
}

/** Whether `found` is the state after some prefix of at least the acknowledged requests. */
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

/** For each row, the latest request that explains what was found there: its index, or one of the two above. */
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

/** One client that writes as fast as answers come, and remembers what it sent and what was acknowledged. */
export class Writer {
  readonly name: string;
  readonly #random: Random;
  #rows: ReadonlyMap<string, string> = new Map();
  #nextNumber = 1;

  constructor(name: string, random: Random) {
    this.name = name;
    this.#random = random;
  }

  /** Tells the writer what its rows hold now; to be called before each run. */
  adopt(rows: ReadonlyMap<string, string>): void {
    this.#rows = rows;
  }

  /** Writes on a connection until it ends. `requestError` is the first answer that was not `ok`. */
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
