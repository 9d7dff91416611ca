import { type Api, ApiError } from '../../../api/client.ts';
import { readChildPage } from '../../../api/data.ts';
import {
  MAX_TEXT_BYTES,
  measureNode,
  NO_NODE,
  type NodeChange,
  type NodeText,
  readNode,
  removeNode,
  type SeenNode,
  writeChanges,
} from '../../../api/data-nodes.ts';
import { parseFields, pathInColumn, type RowFields } from '../model/cells.ts';
import { printExact } from '../model/leaf-value.ts';
import { isAtOrBelow, type NodePath, parentOf, ROOT_PATH } from '../model/node-path.ts';

/** Nodes that are read at a time. */
export const MAX_READS = 6;

/** Somebody has changed something meanwhile, so that nothing was done. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';
}

/** A node is too large to be held in the browser. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** There is a value at or above the place of a new node, which would be lost. */
export class ValueAbove extends Error {
  override readonly name = 'ValueAbove';
}

/** What stood at a place before it was changed. */
export interface FormerNode extends NodeText {
  readonly path: NodePath;
}

/** Puts a child where nothing is. Rejects with `ChangedMeanwhile` when something is. */
export async function addNode(api: Api, database: string, path: NodePath, text: string): Promise<void> {
  await requireWritten(api, database, [{ path, text }], [{ path, hash: NO_NODE }]);
}

/** Copies a node to where nothing is, at once and only as it was read; `isMove` removes it where it was. */
export async function copyNode(
  api: Api,
  database: string,
  from: NodePath,
  to: NodePath,
  isMove: boolean,
): Promise<void> {
  const { text, hash } = await readSmall(api, database, from);
  const changes = [{ path: to, text }, ...(isMove ? [{ path: from, text: 'null' }] : [])];
  const seen = [
    { path: from, hash },
    { path: to, hash: NO_NODE },
  ];
  await requireWritten(api, database, changes, seen);
}

/**
 * Removes nodes. Returns what stood there if all of it together is small enough to be kept, and `null` else. What is small
 * is removed at once, and only as it was read.
 */
export async function removeNodes(
  api: Api,
  database: string,
  paths: readonly NodePath[],
): Promise<readonly FormerNode[] | null> {
  const outermost = paths.filter(
    (path) => !paths.some((other) => other !== path && isAtOrBelow(path, other)),
  );
  const former: FormerNode[] = [];
  let room = MAX_TEXT_BYTES;
  for (const path of outermost) {
    const bytes = await measureNode(api, database, path, room);
    if (bytes === null) {
      for (const one of outermost) await removeNode(api, database, one);
      return null;
    }
    room -= bytes;
    former.push({ path, ...(await readNode(api, database, path)) });
  }
  const changes = former.map(({ path }) => ({ path, text: 'null' }));
  await requireWritten(api, database, changes, former);
  return former;
}

/** Puts back what was removed, where still nothing is. Rejects with `ValueAbove` if a value has come to be above it. */
export async function restoreNodes(api: Api, database: string, former: readonly FormerNode[]): Promise<void> {
  const seen = former.map(({ path }) => ({ path, hash: NO_NODE }));
  await requireWritten(api, database, former, seen);
}

/** Rejects with `ValueAbove` if the nearest node at or above a path is a value. Whoever writes later finds out again. */
export async function requireChildren(api: Api, database: string, path: NodePath): Promise<void> {
  const { node } = await readChildPage(api, database, { path, place: { kind: 'first' }, limit: 1 });
  if (node !== null && node.kind !== 'object') throw new ValueAbove();
  if (node === null && path !== ROOT_PATH) await requireChildren(api, database, parentOf(path));
}

/** Rejects with `TooLarge`. Nothing was ever written to a database that does not exist. */
export async function readSmall(api: Api, database: string, path: NodePath): Promise<NodeText> {
  try {
    if ((await measureNode(api, database, path, MAX_TEXT_BYTES)) === null) throw new TooLarge();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
  return await readNode(api, database, path);
}

/** Makes changes at once. Rejects with `ChangedMeanwhile` if any node is not as it was seen, or with `ValueAbove`. */
export async function requireWritten(
  api: Api,
  database: string,
  changes: readonly NodeChange[],
  seen: readonly SeenNode[],
): Promise<void> {
  const { kind } = await writeChanges(api, database, changes, seen, true);
  if (kind === 'below-value') throw new ValueAbove();
  if (kind === 'stale') throw new ChangedMeanwhile();
}

/** Does something with every item, with at most `most` under way at a time, and returns what came of it in order. */
export async function someAtATime<T, R>(
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

/** What is to become of columns of a row, and what the row was when whoever pastes saw it. */
export interface PastedRow {
  readonly path: NodePath;
  readonly cells: ReadonlyMap<string, unknown>;
  readonly shown: RowFields;
}

/** Rows that are pasted at a time. */
export const MAX_PASTED_ROWS = 200;

/** What is written when rows are pasted. */
export function changesOf(rows: readonly PastedRow[]): readonly NodeChange[] {
  return rows.flatMap(({ path, cells }) =>
    [...cells].map(([column, value]) => ({
      path: pathInColumn(path, column),
      text: printExact(value, 0),
    })),
  );
}

/** Writes cells of several rows at once. Rejects with `ChangedMeanwhile` if any of the rows is not as it was shown. */
export async function pasteCells(api: Api, database: string, rows: readonly PastedRow[]): Promise<void> {
  const seen: SeenNode[] = [];
  for (const { path, shown } of rows) {
    const { text, hash } = await readNode(api, database, path);
    if (print(parseFields(text)) !== print(shown)) throw new ChangedMeanwhile();
    seen.push({ path, hash });
  }
  const { kind } = await writeChanges(api, database, changesOf(rows), seen, false);
  if (kind !== 'written') throw new ChangedMeanwhile();
}

function print(row: RowFields): string {
  if (row.kind !== 'fields') return row.kind === 'value' ? printExact(row.value, 0) : '';
  return printExact(Object.fromEntries([...row.fields].sort(([a], [b]) => (a < b ? -1 : 1))), 0);
}
