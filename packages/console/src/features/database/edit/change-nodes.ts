import { type Api, ApiError } from '../../../api/client.ts';
import { readChildPage } from '../../../api/data.ts';
import {
  MAX_TEXT_BYTES,
  measureNode,
  NO_NODE,
  type NodeChange,
  type NodeText,
  readNode,
  type SeenNode,
  writeChanges,
} from '../../../api/data-nodes.ts';
import { parseFields, pathInColumn, type RowFields } from '../model/cells.ts';
import { printExact } from '../model/leaf-value.ts';
import { isAtOrBelow, type NodePath, parentOf, ROOT_PATH } from '../model/node-path.ts';

/** Maximum number of nodes that are read concurrently. */
export const MAX_READS = 6;

/** Nothing was written, because another user changed a node since it was read. */
export class ConcurrentChange extends Error {
  override readonly name = 'ConcurrentChange';
}

/** A node or file is larger than `MAX_TEXT_BYTES`, so the console does not read it. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** A write would replace a primitive value above its path. */
export class ValueAbove extends Error {
  override readonly name = 'ValueAbove';
}

/**
 * Writes a node at a path without data. Rejects with `ConcurrentChange` if the path has data, or with `ValueAbove`. This and the
 * following functions return the ID of the change.
 */
export function addNode(api: Api, database: string, path: NodePath, text: string): Promise<number | null> {
  return requireWritten(api, database, [{ path, text }], [{ path, hash: NO_NODE }]);
}

/**
 * Copies a node to a path without data in one write; `isMove` also removes the source. Rejects with `ConcurrentChange` if the
 * source changed since it was read, or if the target has data. Can also reject with `TooLarge` or `ValueAbove`.
 */
export async function copyNode(
  api: Api,
  database: string,
  from: NodePath,
  to: NodePath,
  isMove: boolean,
): Promise<number | null> {
  const { text, hash } = await readSmall(api, database, from);
  const changes = [{ path: to, text }, ...(isMove ? [{ path: from, text: 'null' }] : [])];
  const seen = [
    { path: from, hash },
    { path: to, hash: NO_NODE },
  ];
  return requireWritten(api, database, changes, seen);
}

/**
 * Removes nodes of any size in one write. If their total size is at most `MAX_TEXT_BYTES`, rejects with `ConcurrentChange`
 * unless they are unchanged since they were read.
 */
export async function removeNodes(
  api: Api,
  database: string,
  paths: readonly NodePath[],
): Promise<number | null> {
  const outermost = paths.filter(
    (path) => !paths.some((other) => other !== path && isAtOrBelow(path, other)),
  );
  const changes = outermost.map((path) => ({ path, text: 'null' }));
  return requireWritten(api, database, changes, await readSeen(api, database, outermost));
}

/** Returns the hashes of nodes; none if they are too large to be read. */
async function readSeen(
  api: Api,
  database: string,
  paths: readonly NodePath[],
): Promise<readonly SeenNode[]> {
  const seen: SeenNode[] = [];
  let room = MAX_TEXT_BYTES;
  for (const path of paths) {
    const bytes = await measureNode(api, database, path, room);
    if (bytes === null) return [];
    room -= bytes;
    const { hash } = await readNode(api, database, path);
    seen.push({ path, hash });
  }
  return seen;
}

/**
 * Rejects with `ValueAbove` if the nearest existing node at or above a path is a value. The server checks this again
 * when it writes.
 */
export async function requireNoValueAbove(api: Api, database: string, path: NodePath): Promise<void> {
  const { node } = await readChildPage(api, database, { path, position: { kind: 'first' }, limit: 1 });
  if (node !== null && node.kind !== 'object') throw new ValueAbove();
  if (node === null && path !== ROOT_PATH) await requireNoValueAbove(api, database, parentOf(path));
}

/** Reads a node. Rejects with `TooLarge`. The node of a database that does not exist is absent. */
export async function readSmall(api: Api, database: string, path: NodePath): Promise<NodeText> {
  try {
    if ((await measureNode(api, database, path, MAX_TEXT_BYTES)) === null) throw new TooLarge();
  } catch (error) {
    // A database that does not exist has no size.
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
  return await readNode(api, database, path);
}

/** Writes changes atomically, and returns the ID of the change. Rejects with `ConcurrentChange` if a node differs from `seen`, or with `ValueAbove`. */
export async function requireWritten(
  api: Api,
  database: string,
  changes: readonly NodeChange[],
  seen: readonly SeenNode[],
): Promise<number | null> {
  const outcome = await writeChanges(api, database, changes, seen, true);
  if (outcome.kind === 'below-value') throw new ValueAbove();
  if (outcome.kind === 'stale') throw new ConcurrentChange();
  return outcome.change;
}

/** Maps items in batches of `most` concurrent calls, and returns the results in order. Calls `onDone` after each batch. */
export async function mapInBatches<T, R>(
  items: readonly T[],
  most: number,
  action: (item: T) => Promise<R>,
  onDone: (count: number) => void = () => {},
): Promise<readonly R[]> {
  const results: R[] = [];
  for (let first = 0; first < items.length; first += most) {
    results.push(...(await Promise.all(items.slice(first, first + most).map(action))));
    onDone(results.length);
  }
  return results;
}

/** New values for the cells of a row, and the row as the user saw it. */
export interface PastedRow {
  readonly path: NodePath;
  readonly cells: ReadonlyMap<string, unknown>;
  readonly shown: RowFields;
}

/** Maximum number of rows in one paste; further rows are ignored. */
export const MAX_PASTED_ROWS = 200;

/** Returns the writes of a paste, one for each cell. */
export function changesOf(rows: readonly PastedRow[]): readonly NodeChange[] {
  return rows.flatMap(({ path, cells }) =>
    [...cells].map(([column, value]) => ({
      path: pathInColumn(path, column),
      text: printExact(value, 0),
    })),
  );
}

/** Writes the cells of several rows atomically. Rejects with `ConcurrentChange` if a row differs from the shown one. */
export async function pasteCells(
  api: Api,
  database: string,
  rows: readonly PastedRow[],
): Promise<number | null> {
  const seen: SeenNode[] = [];
  for (const { path, shown } of rows) {
    const { text, hash } = await readNode(api, database, path);
    if (print(parseFields(text)) !== print(shown)) throw new ConcurrentChange();
    seen.push({ path, hash });
  }
  const outcome = await writeChanges(api, database, changesOf(rows), seen, false);
  if (outcome.kind !== 'written') throw new ConcurrentChange();
  return outcome.change;
}

function print(row: RowFields): string {
  if (row.kind !== 'fields') return row.kind === 'value' ? printExact(row.value, 0) : '';
  return printExact(Object.fromEntries([...row.fields].sort(([a], [b]) => (a < b ? -1 : 1))), 0);
}
