import type { Scalar } from './node.ts';
import { isArrayLikeKeys, scalarJson } from './node-json.ts';

/**
 * The JSON text in plain form of a value that was parsed from export form: as `plainJson` shows the same tree. For data
 * that come from a tree, which need no checks; `json` is `null`, a scalar or an object, and of no more levels than a tree.
 */
export function plainFromExport(json: unknown): string {
  if (json === null) return 'null';
  if (typeof json !== 'object') return scalarJson(json as Scalar);
  if ('.value' in json) return plainFromExport(json['.value']);
  const children = Object.entries(json).filter(([key]) => key !== '.priority');
  return isArrayLikeKeys(
    children.map(([key]) => key),
    children.length,
  )
    ? arrayJson(children)
    : `{${children.map(([key, child]) => `${JSON.stringify(key)}:${plainFromExport(child)}`).join(',')}}`;
}

/** `children` are in the order of their keys: that of whole numbers in any object. */
function arrayJson(children: readonly (readonly [string, unknown])[]): string {
  const items: string[] = [];
  for (const [key, child] of children) {
    while (items.length < Number(key)) items.push('null');
    items.push(plainFromExport(child));
  }
  return `[${items.join(',')}]`;
}
