import { isKey, type Key, MAX_KEY_BYTES, parseKey } from '@hearth/core/tree/key.ts';
import type { Place } from './books.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what keys must not contain.
const RESERVED = /[%.#$[\]/\u0000-\u001f\u007f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, for texts that need no change.
const HAS_RESERVED = /[%.#$[\]/\u0000-\u001f\u007f]/;

/**
 * The key under which a record is kept that any text names: what keys must not contain is percent-encoded, so that the
 * key of a prefix is a prefix of the key. Refuses what is empty or becomes longer than keys may be.
 */
export function encodeBookKey(text: string): Key {
  return parseKey(escapeReserved(text));
}

/** The keys of a place; `undefined` if one would be no key, so that nothing can be there. */
export function findBookKeys(place: Place): readonly Key[] | undefined {
  // What is longer as it is does not become shorter.
  if (place.some((text) => text.length > MAX_KEY_BYTES)) return undefined;
  const keys = place.map(escapeReserved);
  return keys.every(isKey) ? keys : undefined;
}

function escapeReserved(text: string): string {
  return HAS_RESERVED.test(text) ? text.replace(RESERVED, escapeOne) : text;
}

export function decodeBookKey(key: string): string {
  return key.includes('%') ? decodeURIComponent(key.replace(/%(?![0-9A-F]{2})/g, '%25')) : key;
}

function escapeOne(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
