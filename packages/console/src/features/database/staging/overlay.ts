import { compareKeys, type Key, parseKey } from '@hearth/core/tree/key.ts';
import { isEqualNode, nodeAt, replaceAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import type { ChildRow, NodeSummary } from '../../../api/data.ts';
import { isAtOrBelow, keysOf, type NodePath } from '../model/node-path.ts';
import { endsOf, type StagedList, type StagedPath } from './store.ts';

/** The keys that lead from a node to one at or below it. */
export function keysBelow(above: NodePath, path: NodePath): readonly Key[] {
  return keysOf(path).slice(keysOf(above).length).map(parseKey);
}

/** The staged place that says what is to stand at a path; `undefined` when none does, or only for what is below. */
export function findHolder(list: StagedList, path: NodePath): StagedPath | undefined {
  return list.find((location) => isAtOrBelow(path, location.path));
}

/** Is there a staged place at a path, above or below it? */
export function isStagedAround(list: StagedList, path: NodePath): boolean {
  return list.some((location) => isAtOrBelow(path, location.path) || isAtOrBelow(location.path, path));
}

/** A node as it is to be, out of what it is on the server. As there, what goes is gone before anything comes. */
export function nodeWithStaged(path: NodePath, live: TreeNode | null, list: StagedList): TreeNode | null {
  const holder = findHolder(list, path);
  if (holder !== undefined) return nodeAt(endsOf(holder).after, keysBelow(holder.path, path));
  const below = list.filter((location) => isAtOrBelow(location.path, path));
  return [
    ...below.filter((location) => endsOf(location).after === null),
    ...below.filter((location) => endsOf(location).after !== null),
  ].reduce((node, location) => replaceAt(node, keysBelow(path, location.path), endsOf(location).after), live);
}

/** What becomes of a node. */
export type ChangeSign = 'added' | 'changed' | 'removed';

export interface Difference {
  /** From the node that was compared. */
  readonly keys: readonly Key[];
  readonly sign: ChangeSign;
}

/** Where two trees differ, as deep as both have children, in key order. */
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

/** What staged edits make other at and below a node. */
export function stagedDifferences(path: NodePath, list: StagedList): readonly Difference[] {
  const holder = findHolder(list, path);
  if (holder !== undefined) {
    const { before, after } = endsOf(holder);
    const keys = keysBelow(holder.path, path);
    return findDifferences(nodeAt(before, keys), nodeAt(after, keys));
  }
  return list
    .filter((location) => isAtOrBelow(location.path, path))
    .flatMap((location) => {
      const { before, after } = endsOf(location);
      return findDifferences(before, after, keysBelow(path, location.path));
    });
}

/** What staged edits make of a child that is shown. */
export interface RowStage {
  /** `below` when only something below it is to change. */
  readonly sign: ChangeSign | 'below';
  /** The child as it is on the server; `null` when it is not there. */
  readonly live: ChildRow | null;
}

/** Letters of a preview, as the server sends them. */
const PREVIEW_UNITS = 200;
/** Letters of a string in a line. */
const STRING_UNITS = 1_000;

/** What is shown of a node in a line. */
export function summaryOf(node: TreeNode): NodeSummary {
  if (node.kind === 'inner')
    return { kind: 'object', childCount: node.children.size, priority: node.priority };
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

/** A node as a child of the one above it. */
export function childRowOf(key: string, node: TreeNode): ChildRow {
  const summary = summaryOf(node);
  return summary.kind === 'object'
    ? { ...summary, key, preview: exportJson(node).slice(0, PREVIEW_UNITS) }
    : { ...summary, key };
}

/** All that is known of a child from its line alone; `undefined` when there is more of it. */
export function previewOf(row: ChildRow): string | undefined {
  return row.kind === 'object' && row.preview != null && row.preview.length < PREVIEW_UNITS - 1
    ? row.preview
    : undefined;
}
