import { compareKeys, type Key, parseKey } from '@hearth/core/tree/key.ts';
import { isEqualNode, nodeAt, replaceAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import type { ChildRow, NodeSummary } from '../../../api/data.ts';
import { isAtOrBelow, keysOf, type NodePath } from '../model/node-path.ts';
import { type StagedEdit, type StagedList, treesOf } from './store.ts';

/** Returns the keys from a node to a descendant; empty for the node itself. */
export function keysBelow(above: NodePath, path: NodePath): readonly Key[] {
  return keysOf(path).slice(keysOf(above).length).map(parseKey);
}

/** Returns the staged edit at or above a path; `undefined` if there is none. This edit determines the node at the path. */
export function findHolder(list: StagedList, path: NodePath): StagedEdit | undefined {
  return list.find((edit) => isAtOrBelow(path, edit.path));
}

/** Returns whether an edit is staged at, above or below a path. */
export function isStagedAround(list: StagedList, path: NodePath): boolean {
  return list.some((edit) => isAtOrBelow(path, edit.path) || isAtOrBelow(edit.path, path));
}

/** Returns a node with staged edits applied to its current state. As on the server, deletions apply before other writes. */
export function nodeWithStaged(path: NodePath, live: TreeNode | null, list: StagedList): TreeNode | null {
  const holder = findHolder(list, path);
  if (holder !== undefined) return nodeAt(treesOf(holder).after, keysBelow(holder.path, path));
  const below = list.filter((edit) => isAtOrBelow(edit.path, path));
  return [
    ...below.filter((edit) => treesOf(edit).after === null),
    ...below.filter((edit) => treesOf(edit).after !== null),
  ].reduce((node, edit) => replaceAt(node, keysBelow(path, edit.path), treesOf(edit).after), live);
}

/** How a node changes. */
export type ChangeSign = 'added' | 'changed' | 'removed';

export interface Difference {
  /** Keys on the path from the compared node to the node that differs. */
  readonly keys: readonly Key[];
  readonly sign: ChangeSign;
}

/** Returns the differences between two trees in key order. Descends while both nodes have children. */
export function findDifferences(
  before: TreeNode | null,
  after: TreeNode | null,
  keys: readonly Key[] = [],
): readonly Difference[] {
  if (isEqualNode(before, after)) return [];
  if (before?.kind !== 'inner' || after?.kind !== 'inner')
    return [{ keys, sign: before === null ? 'added' : after === null ? 'removed' : 'changed' }];
  const names = [...new Set([...before.children.keys(), ...after.children.keys()])].sort(compareKeys);
  const below = names.flatMap((name) =>
    findDifferences(before.children.get(name) ?? null, after.children.get(name) ?? null, [...keys, name]),
  );
  return before.priority === after.priority ? below : [{ keys, sign: 'changed' }, ...below];
}

/** Returns the differences that staged edits make at and below a node. */
export function stagedDifferences(path: NodePath, list: StagedList): readonly Difference[] {
  const holder = findHolder(list, path);
  if (holder !== undefined) {
    const { before, after } = treesOf(holder);
    const keys = keysBelow(holder.path, path);
    return findDifferences(nodeAt(before, keys), nodeAt(after, keys));
  }
  return list
    .filter((edit) => isAtOrBelow(edit.path, path))
    .flatMap((edit) => {
      const { before, after } = treesOf(edit);
      return findDifferences(before, after, keysBelow(path, edit.path));
    });
}

/** The effect of staged edits on a child row. */
export interface RowStage {
  /** `below` if only descendants change. */
  readonly sign: ChangeSign | 'below';
  /** The current child on the server; `null` if it does not exist. */
  readonly live: ChildRow | null;
}

/** Maximum length of a preview in UTF-16 code units, as on the server. */
const PREVIEW_UNITS = 200;
/** Maximum length of a string in a row, in UTF-16 code units. */
const STRING_UNITS = 1_000;

/** Returns the summary of a node that a row shows. */
export function summaryOf(node: TreeNode): NodeSummary {
  if (node.kind === 'inner')
    return { kind: 'object', childCount: node.children.size, isCountPartial: false, priority: node.priority };
  const { value, priority } = node;
  if (typeof value !== 'string')
    return { kind: typeof value === 'boolean' ? 'boolean' : 'number', value, priority };
  return {
    kind: 'string',
    value: value.slice(0, STRING_UNITS),
    isCut: value.length > STRING_UNITS,
    priority,
  };
}

/** Returns the row that shows a node in the list of its parent's children. */
export function childRowOf(key: string, node: TreeNode): ChildRow {
  const summary = summaryOf(node);
  return summary.kind === 'object'
    ? { ...summary, key, preview: exportJson(node).slice(0, PREVIEW_UNITS) }
    : { ...summary, key };
}

/**
 * Returns the preview of an object if it is certainly complete, otherwise `undefined`. A preview of 199 or 200 units
 * may be cut: the server does not split surrogate pairs.
 */
export function previewOf(row: ChildRow): string | undefined {
  return row.kind === 'object' && row.preview != null && row.preview.length < PREVIEW_UNITS - 1
    ? row.preview
    : undefined;
}
