import { RequestError } from '../error/request-error.ts';

/**
 * Returns the length of a string in bytes of UTF-8. A lone surrogate counts 3 bytes, like the replacement
 * character. This package has no access to an encoder.
 */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(i + 1))) {
      // Two code units, four bytes.
      bytes += 2;
      i++;
    } else bytes += 2;
  }
  return bytes;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

declare const brand: unique symbol;

/** A validated key of a child: 1 to 768 bytes of UTF-8, without `. # $ [ ] /` and without ASCII control characters. */
export type Key = string & { readonly [brand]: 'Key' };

/** Maximum length of a key, in bytes of UTF-8. */
export const MAX_KEY_BYTES = 768;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what keys must not contain.
const FORBIDDEN = /[.#$[\]/\u0000-\u001f\u007f]/;

/** Returns whether a text is a valid key. */
export function isKey(text: string): text is Key {
  // A key never has more code units than bytes, so a long text is rejected without a scan.
  return text.length > 0 && text.length <= MAX_KEY_BYTES && !FORBIDDEN.test(text) && !isTooLong(text);
}

/** Validates one key. Throws `key/invalid` or `key/too-long`. */
export function parseKey(text: string): Key {
  if (text.length === 0 || FORBIDDEN.test(text)) throw new RequestError('key/invalid');
  if (isTooLong(text)) throw new RequestError('key/too-long');
  return text as Key;
}

function isTooLong(text: string): boolean {
  // A UTF-16 code unit takes at most three bytes in UTF-8, so most keys need no count.
  return text.length > MAX_KEY_BYTES / 3 && utf8Length(text) > MAX_KEY_BYTES;
}

const INTEGER = /^-?0*[0-9]{1,10}$/;
const MINUS = 0x2d;
const MIN_INT32 = -2147483648;
const MAX_INT32 = 2147483647;

/**
 * Returns the integer that a key represents in key order. Returns `undefined` if the key does not have the
 * form of a 32-bit integer.
 */
export function findKeyInteger(key: string): number | undefined {
  // Fast path: most keys start with a letter, and keys from `push` start with a minus sign and a letter. They
  // do not reach the regular expression.
  const first = key.charCodeAt(0);
  if (!isDigit(first === MINUS ? key.charCodeAt(1) : first)) return undefined;
  if (!INTEGER.test(key)) return undefined;
  const value = Number(key);
  return value >= MIN_INT32 && value <= MAX_INT32 ? value : undefined;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/**
 * Compares two keys in key order: 32-bit integers first, by value, with the shorter of two spellings first;
 * then all other keys by UTF-16 code units. The order is total: `-0` sorts before `00`.
 */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  const left = findKeyInteger(a);
  const right = findKeyInteger(b);
  if (left === undefined) return right === undefined ? (a < b ? -1 : 1) : 1;
  if (right === undefined) return -1;
  if (left !== right) return left < right ? -1 : 1;
  if (a.length !== b.length) return a.length < b.length ? -1 : 1;
  return a < b ? -1 : 1;
}
