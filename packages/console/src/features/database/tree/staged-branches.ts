import { compareKeys } from '@hearth/core/tree/key.ts';
import { isEqualNode, nodeAt, type TreeNode } from '@hearth/core/tree/node.ts';
import type { ChildRow } from '../../../api/data.ts';
import { isAtOrBelow, joinPath, keysOf, type NodePath } from '../model/node-path.ts';
import {
  childRowOf,
  findHolder,
  keysBelow,
  nodeWithStaged,
  previewOf,
  summaryOf,
} from '../staging/overlay.ts';
import { parseTree, type StagedList, treesOf } from '../staging/store.ts';
import type { Branch, BranchPage, BranchRow } from './branch.ts';

/** Returns the open nodes with staged edits applied. Nodes without staged edits stay the same objects. */
export function overlayBranches(
  branches: ReadonlyMap<NodePath, Branch>,
  list: StagedList,
): ReadonlyMap<NodePath, Branch> {
  if (list.length === 0) return branches;
  return new Map([...branches].map(([path, branch]) => [path, overlayBranch(branch, list)]));
}

function overlayBranch(branch: Branch, list: StagedList): Branch {
  const holder = findHolder(list, branch.path);
  if (holder !== undefined) {
    const keys = keysBelow(holder.path, branch.path);
    const { before, after } = treesOf(holder);
    return heldBranch(branch, nodeAt(before, keys), nodeAt(after, keys));
  }
  const keys = stagedChildren(branch.path, list);
  return keys.size === 0 ? branch : mergedBranch(branch, keys, list);
}

/** Returns the branch of a node that is part of a staged edit. All children of such a node are known. */
function heldBranch(branch: Branch, before: TreeNode | null, after: TreeNode | null): Branch {
  const [page] = branch.pages;
  const shown = after ?? before;
  if (page === undefined || shown === null) return branch;
  const earlier = childrenOf(before);
  const later = childrenOf(after);
  const rows = [...new Set([...earlier.keys(), ...later.keys()])]
    .sort(compareKeys)
    .flatMap((key) => compareChild(key, earlier.get(key) ?? null, later.get(key) ?? null));
  const firstKey = rows[0]?.key ?? null;
  return {
    ...branch,
    error: undefined,
    node: summaryOf(shown),
    pages: [{ ...page, rows, count: rows.length, firstKey }],
  };
}

function childrenOf(node: TreeNode | null): ReadonlyMap<string, TreeNode> {
  return node?.kind === 'inner' ? node.children : new Map();
}

function compareChild(key: string, before: TreeNode | null, after: TreeNode | null): readonly BranchRow[] {
  const live = before === null ? null : childRowOf(key, before);
  if (after === null) return live === null ? [] : [{ ...live, staged: { sign: 'removed', live } }];
  const row = childRowOf(key, after);
  if (isEqualNode(before, after)) return [row];
  const isBelow = before?.kind === 'inner' && after.kind === 'inner';
  const sign = before === null ? 'added' : isBelow ? 'below' : 'changed';
  return [{ ...row, staged: { sign, live } }];
}

/** Returns the keys of children at or below which edits are staged. */
function stagedChildren(path: NodePath, list: StagedList): ReadonlySet<string> {
  const depth = keysOf(path).length;
  return new Set(
    list.flatMap((edit) => {
      const key = isAtOrBelow(edit.path, path) ? keysOf(edit.path)[depth] : undefined;
      return key === undefined ? [] : [key];
    }),
  );
}

/** Returns a branch with staged edits of some children: changes their rows, and inserts rows of added children. */
function mergedBranch(branch: Branch, keys: ReadonlySet<string>, list: StagedList): Branch {
  const shown = new Set<string>();
  const pages = branch.pages.map((page) => {
    if (page.rows === null || !page.rows.some(({ key }) => keys.has(key))) return page;
    const rows = page.rows.flatMap((row): readonly BranchRow[] => {
      if (!keys.has(row.key)) return [row];
      // The fading row of a removed child would duplicate the row of the staged one.
      if (row.removedAtMs !== undefined) return [];
      shown.add(row.key);
      return [overlayRow(branch.path, row, list)];
    });
    return { ...page, rows, count: rows.length };
  });
  const added = [...keys].filter((key) => !shown.has(key)).sort(compareKeys);
  let count = 0;
  for (const key of added) {
    const index = pages.findLastIndex((page, at) => beginsAtOrBefore(page, at, key));
    const page = pages[index];
    const node = nodeWithStaged(joinPath(branch.path, key), null, list);
    if (page?.rows == null || node === null) continue;
    const row: BranchRow = { ...childRowOf(key, node), staged: { sign: 'added', live: null } };
    const at = page.rows.findIndex((other) => compareKeys(other.key, key) > 0);
    const rows = page.rows.toSpliced(at < 0 ? page.rows.length : at, 0, row);
    pages[index] = { ...page, rows, count: rows.length };
    count += 1;
  }
  const { node } = branch;
  // A node that is not on the server exists if it has staged children.
  const isMade = node === null && count > 0;
  return {
    ...branch,
    node: isMade ? { kind: 'object', childCount: count, isCountPartial: false, priority: null } : node,
    pages,
  };
}

function overlayRow(parent: NodePath, row: ChildRow, list: StagedList): BranchRow {
  const path = joinPath(parent, row.key);
  const holder = findHolder(list, path);
  if (holder !== undefined) {
    const { after } = treesOf(holder);
    return after === null
      ? { ...row, staged: { sign: 'removed', live: row } }
      : { ...childRowOf(row.key, after), staged: { sign: 'changed', live: row } };
  }
  const preview = previewOf(row);
  const node = preview === undefined ? null : nodeWithStaged(path, parseTree(preview, path), list);
  const shown = node === null ? row : childRowOf(row.key, node);
  return { ...shown, staged: { sign: 'below', live: row } };
}

/** Returns whether a page begins at or before a key. The first page does, unless it follows the last children. */
function beginsAtOrBefore({ position, firstKey }: BranchPage, index: number, key: string): boolean {
  if (index === 0 && position.kind !== 'last') return true;
  const start = position.kind === 'from' || position.kind === 'after' ? position.key : firstKey;
  return start !== null && compareKeys(start, key) <= 0;
}
