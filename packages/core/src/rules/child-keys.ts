import { isKey, type Key, MAX_KEY_BYTES } from '../tree/key.ts';
import { MAX_DEPTH } from '../tree/path.ts';

/** Longest text that is taken apart, in UTF-16 units: no path that exists is longer. */
const MAX_TEXT = MAX_DEPTH * (MAX_KEY_BYTES + 1);

/**
 * The keys of what a rule calls a child, `a` or `a/b`. Slashes around and between them may be too many. `null` for a text
 * that no place can be called: one without any key, with an invalid one, or with more than 32.
 */
export function findChildKeys(text: string): readonly Key[] | null {
  if (text.length > MAX_TEXT) return null;
  const names = text.split('/').filter((name) => name !== '');
  return names.length > 0 && names.length <= MAX_DEPTH && names.every(isKey) ? names : null;
}
