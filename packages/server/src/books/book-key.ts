import { type Key, parseKey } from '@hearth/core/tree/key.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what keys must not contain.
const RESERVED = /[%.#$[\]/\u0000-\u001f\u007f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, for texts that need no change.
const HAS_RESERVED = /[%.#$[\]/\u0000-\u001f\u007f]/;

/**
 * The key under which a record is kept that any text names: what keys must not contain is percent-encoded, so that the
 * key of a prefix is a prefix of the key. Refuses what is empty or becomes longer than keys may be.
 */
export function encodeBookKey(text: string): Key {
  return parseKey(HAS_RESERVED.test(text) ? text.replace(RESERVED, escapeOne) : text);
}

export function decodeBookKey(key: string): string {
  return key.includes('%') ? decodeURIComponent(key.replace(/%(?![0-9A-F]{2})/g, '%25')) : key;
}

function escapeOne(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
