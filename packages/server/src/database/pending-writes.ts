import type { Key } from '@hearth/core/tree/key.ts';
import { type DraftNode, type Priority, replaceAt, type ServerValue } from '@hearth/core/tree/node.ts';
import { exportJson, priorityJson } from '@hearth/core/tree/node-json.ts';
import { formatPath, joinPaths, type Path, parseWritePath, pathOf } from '@hearth/core/tree/path.ts';
import type { Draft } from '@hearth/core/tree/server-value.ts';
import { compareWrites, type DraftWrite, parseSet } from './draft-write.ts';

/**
 * What a client asked to be written when it disconnects: a sparse tree, so that asking again for the same place
 * takes no more room. A place holds a whole value, or a priority and places below it.
 */
export type PendingWrites =
  | { readonly kind: 'value'; readonly node: DraftNode | null }
  | {
      readonly kind: 'places';
      readonly priority: { readonly value: Priority | ServerValue } | null;
      readonly below: ReadonlyMap<Key, PendingWrites>;
    };

const NO_NODE: Draft = { kind: 'resolved', node: null };

export const NOTHING_PENDING: PendingWrites = { kind: 'places', priority: null, below: new Map() };

/**
 * Remembers a write: it replaces what is remembered at its place and below. Below a remembered value it becomes
 * part of that value.
 */
export function remember(pending: PendingWrites, write: DraftWrite, depth = 0): PendingWrites {
  if (pending.kind === 'value')
    return { kind: 'value', node: mergeIntoValue(pending.node, write, write.path.slice(depth)) };
  const key = write.path[depth];
  if (key === undefined)
    return write.kind === 'node'
      ? { kind: 'value', node: write.draft.node }
      : { ...pending, priority: { value: write.priority } };
  const below = new Map(pending.below);
  below.set(key, remember(below.get(key) ?? NOTHING_PENDING, write, depth + 1));
  return { ...pending, below };
}

function mergeIntoValue(
  node: DraftNode | null,
  write: DraftWrite,
  relative: readonly Key[],
): DraftNode | null {
  if (write.kind === 'node') return replaceAt(node, relative, write.draft.node);
  const target = draftAt(node, relative);
  return target === null ? node : replaceAt(node, relative, { ...target, priority: write.priority });
}

/**
 * Forgets what is remembered at a place and below. A remembered value above it, if it has children, falls apart
 * into one value for each child, without the value's own priority; a leaf above it stays.
 */
export function forget(pending: PendingWrites, path: Path, depth = 0): PendingWrites {
  const key = path[depth];
  if (key === undefined) return NOTHING_PENDING;
  if (pending.kind === 'value') {
    if (pending.node?.kind !== 'inner') return pending;
    const below = new Map<Key, PendingWrites>();
    for (const [name, node] of pending.node.children) below.set(name, { kind: 'value', node });
    return forget({ kind: 'places', priority: null, below }, path, depth);
  }
  const child = pending.below.get(key);
  if (child === undefined) return pending;
  const next = forget(child, path, depth + 1);
  const below = new Map(pending.below);
  if (isNothingPending(next)) below.delete(key);
  else below.set(key, next);
  return { ...pending, below };
}

export function isNothingPending(pending: PendingWrites): boolean {
  return pending.kind === 'places' && pending.priority === null && pending.below.size === 0;
}

/** All that is remembered, as one update, in the order in which it is done. */
export function pendingWrites(pending: PendingWrites): readonly DraftWrite[] {
  const writes: DraftWrite[] = [];
  collect(pending, pathOf([]), writes);
  return writes.sort(compareWrites);
}

function collect(pending: PendingWrites, path: Path, into: DraftWrite[]): void {
  if (pending.kind === 'value') {
    const { node } = pending;
    into.push({ kind: 'node', path, draft: node === null ? NO_NODE : { kind: 'pending', node } });
    return;
  }
  if (pending.priority !== null) into.push({ kind: 'priority', path, priority: pending.priority.value });
  for (const [key, child] of pending.below) collect(child, joinPaths(path, [key]), into);
}

/**
 * JSON text of what is remembered. Shape: `[["<path>",<value in export form>],…]`; the path of a priority ends in
 * `.priority`.
 */
export function encodePending(pending: PendingWrites): string {
  const fields = pendingWrites(pending).map((write) =>
    write.kind === 'node'
      ? `[${JSON.stringify(formatPath(write.path))},${exportJson(write.draft.node)}]`
      : `[${JSON.stringify(`${formatPath(write.path)}/.priority`)},${priorityJson(write.priority)}]`,
  );
  return `[${fields.join(',')}]`;
}

/** Reads what `encodePending` wrote, parsed as JSON. */
export function decodePending(entries: readonly (readonly [path: string, value: unknown])[]): PendingWrites {
  return entries.reduce(
    (pending, [path, value]) => remember(pending, parseSet(parseWritePath(path), value)),
    NOTHING_PENDING,
  );
}

function draftAt(node: DraftNode | null, path: readonly Key[]): DraftNode | null {
  let here = node;
  for (const key of path) here = here?.kind === 'inner' ? (here.children.get(key) ?? null) : null;
  return here;
}
