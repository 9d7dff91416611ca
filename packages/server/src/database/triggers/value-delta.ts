import type { Key } from '@hearth/core/tree/key.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import { scalarJson } from '@hearth/core/tree/node-json.ts';

/** A value as JSON text, without priorities and without arrays: functions lay changes over it by the keys of objects. */
export function valueJson(node: TreeNode | null): string {
  if (node === null) return 'null';
  if (node.kind === 'leaf') return scalarJson(node.value);
  return objectJson(Array.from(node.children, ([key, child]) => [key, valueJson(child)]));
}

/**
 * What turns one value into another, as JSON text: objects only with the members that differ, `null` for what is gone, and
 * whole values elsewhere. `undefined` when they are equal.
 */
export function valueDelta(before: TreeNode | null, after: TreeNode | null): string | undefined {
  if (before?.kind !== 'inner' || after?.kind !== 'inner') {
    const json = valueJson(after);
    return json === valueJson(before) ? undefined : json;
  }
  const keys = new Set([...before.children.keys(), ...after.children.keys()]);
  const changes: [Key, string][] = [];
  for (const key of keys) {
    const change = valueDelta(before.children.get(key) ?? null, after.children.get(key) ?? null);
    if (change !== undefined) changes.push([key, change]);
  }
  return changes.length === 0 ? undefined : objectJson(changes);
}

function objectJson(members: readonly (readonly [Key, string])[]): string {
  return `{${members.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`;
}
