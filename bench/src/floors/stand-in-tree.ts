import type { JsonRecord } from '../client/json.ts';
import { isRecord } from '../client/json.ts';
import { evaluateNaively } from '../crash/naive-query.ts';

/** Nested maps with JSON leaves; changed in place. */
export type MutableTree = Map<string, unknown>;

/** Replaces what is at a path; `null` removes it, and with it parents that become empty. */
export function applyWrite(tree: MutableTree, path: string, value: unknown): void {
  applyAt(tree, path.split('/').filter(Boolean), value);
}

function applyAt(tree: MutableTree, keys: readonly string[], value: unknown): void {
  const [key, ...rest] = keys;
  if (key === undefined) return;
  if (rest.length === 0) {
    const stored = toStored(value);
    if (stored === undefined) tree.delete(key);
    else tree.set(key, stored);
    return;
  }
  const found = tree.get(key);
  const child: MutableTree = found instanceof Map ? found : new Map();
  applyAt(child, rest, value);
  if (child.size === 0) tree.delete(key);
  else tree.set(key, child);
}

function toStored(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (!isRecord(value)) return value;
  const children = Object.entries(value).map(([key, child]): [string, unknown] => [key, toStored(child)]);
  const kept = children.filter(([, child]) => child !== undefined);
  return kept.length === 0 ? undefined : new Map(kept);
}

/** The JSON value at a path; `null` when nothing is there. */
export function readTree(tree: MutableTree, path: string): unknown {
  let node: unknown = tree;
  for (const key of path.split('/').filter(Boolean)) node = node instanceof Map ? node.get(key) : undefined;
  return fromStored(node);
}

function fromStored(node: unknown): unknown {
  if (node === undefined) return null;
  if (!(node instanceof Map)) return node;
  const result: Record<string, unknown> = {};
  for (const [key, child] of node) result[String(key)] = fromStored(child);
  return result;
}

/** The children a query selects, less the last `dropped` of them: that is how a stand-in lies about its index. */
export function queryTree(value: unknown, query: JsonRecord, dropped: number): unknown {
  if (!isRecord(value)) return null;
  const keys = evaluateNaively(value, query);
  const kept = keys.slice(0, keys.length - dropped);
  return kept.length === 0 ? null : Object.fromEntries(kept.map((key) => [key, value[key]]));
}
