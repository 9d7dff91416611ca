import { joinPath, lastKeyOf, type NodePath, parentOf } from '../model/node-path.ts';
import type { Branch, BranchPage, BranchRow } from './branch.ts';

/** A row of the tree. */
export type TreeRow =
  | {
      readonly kind: 'node';
      readonly path: NodePath;
      /** 1 for children of the root of the view. */
      readonly level: number;
      readonly node: BranchRow;
      readonly isOpen: boolean;
      /** When the tree received a change of the node, in milliseconds since 1970; 0 if it has not changed. */
      readonly changedAtMs: number;
    }
  /** A child that was removed, while its row fades out. */
  | {
      readonly kind: 'gone';
      readonly id: string;
      readonly level: number;
      readonly node: BranchRow;
    }
  /** A child that is not loaded, and may no longer exist. */
  | { readonly kind: 'unread'; readonly id: string; readonly level: number }
  | { readonly kind: 'empty'; readonly id: string; readonly path: NodePath; readonly level: number }
  | {
      readonly kind: 'failed';
      readonly id: string;
      readonly path: NodePath;
      readonly level: number;
      readonly error: unknown;
    };

export type NodeRow = Extract<TreeRow, { kind: 'node' }>;

/** Returns a key that identifies a row independently of its index. */
export function idOfRow(row: TreeRow): string {
  return row.kind === 'node' ? row.path : row.id;
}

/** Consecutive rows of one page, or a single notice row (`page` is `null`) for an empty or failed branch. */
export interface RowRun {
  readonly start: number;
  readonly count: number;
  readonly level: number;
  readonly branch: Branch;
  readonly page: BranchPage | null;
  /** Index of the first row of the run within the page. */
  readonly offset: number;
}

/** All rows of a tree. `findRow` creates a row on demand. */
export interface TreeRows {
  readonly total: number;
  readonly runs: readonly RowRun[];
  readonly branches: ReadonlyMap<NodePath, Branch>;
}

/** Returns the rows of the open nodes, with the children of each node below its row. */
export function arrangeRows(root: NodePath, branches: ReadonlyMap<NodePath, Branch>): TreeRows {
  const openKeys = new Map<NodePath, Set<string>>();
  for (const path of branches.keys()) {
    if (path === root) continue;
    const keys = openKeys.get(parentOf(path)) ?? new Set();
    openKeys.set(parentOf(path), keys.add(lastKeyOf(path)));
  }
  const runs: RowRun[] = [];
  let total = 0;
  function add(branch: Branch, page: BranchPage | null, level: number, offset: number, count: number): void {
    if (count === 0) return;
    runs.push({ start: total, count, level, branch, page, offset });
    total += count;
  }
  function arrange(branch: Branch, level: number): void {
    if (branch.error !== undefined || isEmpty(branch)) {
      add(branch, null, level, 0, 1);
      return;
    }
    const open = openKeys.get(branch.path);
    for (const page of branch.pages) {
      let from = 0;
      if (open !== undefined && page.rows !== null)
        for (const [index, { key, removedAtMs }] of page.rows.entries()) {
          if (!open.has(key) || removedAtMs !== undefined) continue;
          const below = branches.get(joinPath(branch.path, key));
          if (below === undefined) continue;
          add(branch, page, level, from, index + 1 - from);
          from = index + 1;
          arrange(below, level + 1);
        }
      add(branch, page, level, from, page.count - from);
    }
  }
  const first = branches.get(root);
  if (first !== undefined) arrange(first, 1);
  return { total, runs, branches };
}

function isEmpty({ node, pages }: Branch): boolean {
  return node !== undefined && pages.every(({ count }) => count === 0);
}

/** Returns the run that contains a row; `undefined` beyond the last. */
function findRun({ runs }: TreeRows, index: number): RowRun | undefined {
  let low = 0;
  let high = runs.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const run = runs[middle];
    if (run === undefined) return undefined;
    if (index < run.start) high = middle - 1;
    else if (index >= run.start + run.count) low = middle + 1;
    else return run;
  }
  return undefined;
}

/** Returns the row at an index; `undefined` beyond the last. */
export function findRow(rows: TreeRows, index: number): TreeRow | undefined {
  const run = findRun(rows, index);
  if (run === undefined) return undefined;
  const { branch, page, level, start, offset } = run;
  if (page === null) {
    const id = `${branch.path}#note`;
    return branch.error === undefined
      ? { kind: 'empty', id, path: branch.path, level }
      : { kind: 'failed', id, path: branch.path, level, error: branch.error };
  }
  const indexInPage = offset + index - start;
  const node = page.rows?.[indexInPage];
  if (node === undefined) return { kind: 'unread', id: `${page.id}#${indexInPage}`, level };
  const path = joinPath(branch.path, node.key);
  if (node.removedAtMs !== undefined) return { kind: 'gone', id: `${path}#gone`, level, node };
  const changedAtMs = page.changes.get(node.key) ?? 0;
  return { kind: 'node', path, level, node, isOpen: rows.branches.has(path), changedAtMs };
}

/** Returns the index of a node's row; -1 if it is not loaded. */
export function findIndex({ runs }: TreeRows, path: NodePath): number {
  const parent = parentOf(path);
  const key = lastKeyOf(path);
  for (const { branch, page, start, offset, count } of runs) {
    if (branch.path !== parent || page?.rows == null) continue;
    const indexInPage = page.rows.findIndex((row) => row.key === key);
    if (indexInPage >= offset && indexInPage < offset + count) return start + indexInPage - offset;
  }
  return -1;
}
