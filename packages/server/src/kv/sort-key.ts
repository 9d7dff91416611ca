import { findKeyInteger } from '@hearth/core/tree/key.ts';
import { decodeUtf16Bytes, utf16BytesLength, writeUtf16Bytes } from './utf16-bytes.ts';

const INTEGER = 0x01;
/** First byte of the sort key of a key that is no integer. */
export const TEXT_MARK = 0x02;
const INTEGER_BYTES = 8;
const SIGN_BIT = 0x80000000;
const MAX_LENGTH = 0xffff;

/** Longest sort key of a valid key: 768 bytes of UTF-8 as surrogates, which grow by half. */
export const MAX_SORT_KEY_BYTES = 1 + (768 * 3) / 2;

/** Bytes of `writeSortKey`. */
export function sortKeyLength(key: string): number {
  return findKeyInteger(key) === undefined ? 1 + utf16BytesLength(key) : INTEGER_BYTES;
}

/**
 * Writes a key so that byte order is key order.
 * Shape of an integer: 0x01, its value plus 2^31 (4 bytes, big-endian), the length of its text (2 bytes), 0 if the text
 * starts with a minus sign and else 1 (which tells `-0` from `00`). Shape of others: 0x02, its units as in `utf16-bytes.ts`.
 */
export function writeSortKey(key: string, target: Buffer, offset: number): void {
  const integer = findKeyInteger(key);
  if (integer === undefined) {
    target[offset] = TEXT_MARK;
    writeUtf16Bytes(key, target, offset + 1);
    return;
  }
  target[offset] = INTEGER;
  target.writeUInt32BE(integer + SIGN_BIT, offset + 1);
  target.writeUInt16BE(Math.min(key.length, MAX_LENGTH), offset + 5);
  target[offset + 7] = key.startsWith('-') ? 0 : 1;
}

/** The key in the bytes from `start` to the end. */
export function decodeSortKey(bytes: Buffer, start: number): string {
  if (bytes[start] === TEXT_MARK) return decodeUtf16Bytes(bytes, start + 1, bytes.length);
  const integer = bytes.readUInt32BE(start + 1) - SIGN_BIT;
  const length = bytes.readUInt16BE(start + 5);
  const digits = String(Math.abs(integer));
  return bytes[start + 7] === 0 ? `-${digits.padStart(length - 1, '0')}` : digits.padStart(length, '0');
}
