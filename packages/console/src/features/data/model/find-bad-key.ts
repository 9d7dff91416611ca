import { isKey } from '@hearth/core/tree/key.ts';

/** Members that are no children: value and priority in export form, and what the server puts in. */
const SPECIAL = new Set(['.value', '.priority', '.sv']);

/** The first key in a JSON value that no node can have; `undefined` if all can. */
export function findBadKey(json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  for (const [key, member] of Object.entries(json)) {
    if (!SPECIAL.has(key) && !isKey(key)) return key;
    const found = findBadKey(member);
    if (found !== undefined) return found;
  }
  return undefined;
}
