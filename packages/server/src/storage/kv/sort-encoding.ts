import { findKeyInteger } from '@hearth/core/tree/key.ts';
import { type IndexValue, OBJECT } from '@hearth/core/tree/order.ts';

/**
 * Encodes a text as bytes whose order is the order of the text's UTF-16 code units. Each code unit is written
 * as UTF-8 writes a code point of its size. A surrogate therefore takes three bytes, and lone surrogates are
 * preserved. A text without surrogates becomes plain UTF-8.
 */
export function encodeUtf16Bytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(utf16BytesLength(text));
  writeUtf16Bytes(text, bytes, 0);
  return bytes;
}

function utf16BytesLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) length += unit < 0x800 ? 1 : 2;
  }
  return length;
}

/** Writes the encoding of `text` into `target` from `offset` on. `utf16BytesLength` bytes must fit. */
function writeUtf16Bytes(text: string, target: Buffer, offset: number): void {
  let at = offset;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      target[at++] = unit;
    } else if (unit < 0x800) {
      target[at++] = 0xc0 | (unit >> 6);
      target[at++] = 0x80 | (unit & 0x3f);
    } else {
      target[at++] = 0xe0 | (unit >> 12);
      target[at++] = 0x80 | ((unit >> 6) & 0x3f);
      target[at++] = 0x80 | (unit & 0x3f);
    }
  }
}

/** Returns the text that is encoded in the bytes from `start` to `end`. */
function decodeUtf16Bytes(bytes: Buffer, start: number, end: number): string {
  for (let at = start; at < end; at += 1) if ((bytes[at] ?? 0) >= 0x80) return decodeUnits(bytes, start, end);
  return bytes.toString('latin1', start, end);
}

function decodeUnits(bytes: Buffer, start: number, end: number): string {
  const units: string[] = [];
  let at = start;
  while (at < end) {
    const first = bytes[at++] ?? 0;
    if (first < 0x80) units.push(String.fromCharCode(first));
    else if (first < 0xe0)
      units.push(String.fromCharCode(((first & 0x1f) << 6) | ((bytes[at++] ?? 0) & 0x3f)));
    else {
      const middle = (bytes[at++] ?? 0) & 0x3f;
      const last = (bytes[at++] ?? 0) & 0x3f;
      units.push(String.fromCharCode(((first & 0x0f) << 12) | (middle << 6) | last));
    }
  }
  return units.join('');
}

const INTEGER = 0x01;
/** First byte of the sort key of a key that is not an integer. */
export const TEXT_MARK = 0x02;
const INTEGER_BYTES = 8;
const SIGN_BIT = 0x80000000;
const MAX_LENGTH = 0xffff;

/** Length of the longest sort key of a valid key: 768 bytes of UTF-8 as surrogates, which grow by half. */
export const MAX_SORT_KEY_BYTES = 1 + (768 * 3) / 2;

/** Returns the number of bytes that `writeSortKey` writes. */
export function sortKeyLength(key: string): number {
  return findKeyInteger(key) === undefined ? 1 + utf16BytesLength(key) : INTEGER_BYTES;
}

/**
 * Writes a key so that byte order equals key order.
 *
 * Shape of an integer: 0x01, its value plus 2^31 (4 bytes, big-endian), the length of its text (2 bytes), and 0
 * if the text starts with a minus sign, otherwise 1 (this distinguishes `-0` from `00`). Shape of other keys:
 * 0x02, then the text as `encodeUtf16Bytes` encodes it.
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

/** Returns the key encoded in the bytes from `start` to the end. */
export function decodeSortKey(bytes: Buffer, start: number): string {
  if (bytes[start] === TEXT_MARK) return decodeUtf16Bytes(bytes, start + 1, bytes.length);
  const integer = bytes.readUInt32BE(start + 1) - SIGN_BIT;
  const length = bytes.readUInt16BE(start + 5);
  const digits = String(Math.abs(integer));
  return bytes[start + 7] === 0 ? `-${digits.padStart(length - 1, '0')}` : digits.padStart(length, '0');
}

const NULL = 0;
const FALSE = 1;
const TRUE = 2;
const NUMBER = 3;
const STRING = 4;
const OBJECT_RANK = 5;
const NUMBER_BYTES = 9;

const MAX_UNIT_BYTES = 3;

/** Maximum number of bytes of a string that are stored, including escapes. */
export const MAX_STRING_PART_BYTES = 512;

const NULL_BYTES = Buffer.from([NULL]);
const FALSE_BYTES = Buffer.from([FALSE]);
const TRUE_BYTES = Buffer.from([TRUE]);
const OBJECT_BYTES = Buffer.from([OBJECT_RANK]);

const END = 0x00;
const ESCAPE = 0x01;
const CUT = 0xff;

/**
 * An index value decoded from its sort bytes: the whole value, or only the fact that the value is a string that was
 * cut. `end` is the offset after the bytes of the value.
 */
export type SortedValue =
  | { readonly kind: 'whole'; readonly value: IndexValue; readonly end: number }
  | { readonly kind: 'cut'; readonly end: number };

/**
 * Returns an index value as bytes. Byte order equals the order of `compareIndexValues`, and the bytes of no
 * value are a prefix of another's.
 *
 * Shape: rank (1 byte: 0 null, 1 false, 2 true, 3 number, 4 string, 5 object). A number follows as an 8-byte
 * double, with all bits inverted if it is negative, otherwise only the sign bit. A string follows in the
 * encoding of `encodeUtf16Bytes`, with 0x00 encoded as 01 01 and 0x01 as 01 02, and ends with 0x00. A string
 * that would be longer than `MAX_STRING_PART_BYTES` is cut between code units and ends with 0xff. Strings that
 * are cut to the same bytes are equal here; their order depends on the whole values.
 *
 * Callers must not write to the result, because equal values may share their bytes.
 */
export function encodeSortValue(value: IndexValue): Buffer {
  switch (typeof value) {
    case 'boolean':
      return value ? TRUE_BYTES : FALSE_BYTES;
    case 'number':
    case 'bigint':
      return encodeNumber(Number(value));
    case 'string':
      return encodeString(value);
    case 'symbol':
      return OBJECT_BYTES;
    default:
      return NULL_BYTES;
  }
}

/** Decodes the value whose bytes start at `start`. */
export function decodeSortValue(bytes: Buffer, start: number): SortedValue {
  switch (bytes[start]) {
    case NULL:
      return { kind: 'whole', value: null, end: start + 1 };
    case FALSE:
      return { kind: 'whole', value: false, end: start + 1 };
    case TRUE:
      return { kind: 'whole', value: true, end: start + 1 };
    case NUMBER:
      return { kind: 'whole', value: decodeNumber(bytes, start), end: start + NUMBER_BYTES };
    case STRING:
      return decodeString(bytes, start + 1);
    default:
      return { kind: 'whole', value: OBJECT, end: start + 1 };
  }
}

/**
 * Returns whether the value is a cut string. The order among strings with the same first bytes then requires
 * the whole strings.
 */
export function isCutValue(valueBytes: Buffer): boolean {
  return valueBytes[0] === STRING && valueBytes[valueBytes.length - 1] === CUT;
}

function encodeNumber(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(NUMBER_BYTES);
  bytes[0] = NUMBER;
  bytes.writeDoubleBE(value === 0 ? 0 : value, 1);
  if (value < 0) for (let at = 1; at < NUMBER_BYTES; at += 1) bytes[at] = 0xff ^ (bytes[at] ?? 0);
  else bytes[1] = 0x80 ^ (bytes[1] ?? 0);
  return bytes;
}

function decodeNumber(bytes: Buffer, start: number): number {
  const copy = Buffer.from(bytes.subarray(start + 1, start + NUMBER_BYTES));
  const first = copy[0] ?? 0;
  if (first >= 0x80) copy[0] = first ^ 0x80;
  else for (let at = 0; at < copy.length; at += 1) copy[at] = 0xff ^ (copy[at] ?? 0);
  return copy.readDoubleBE(0);
}

function encodeString(value: string): Buffer {
  // No more code units than this can fit. Slicing first avoids encoding a long text completely.
  const units = encodeUtf16Bytes(value.slice(0, MAX_STRING_PART_BYTES + 1));
  const bytes = Buffer.allocUnsafe(MAX_STRING_PART_BYTES + 2);
  bytes[0] = STRING;
  let at = 1;
  for (let from = 0; from < units.length; ) {
    const first = units[from] ?? 0;
    const isEscaped = first <= ESCAPE;
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : 3;
    // The position of the cut must not depend on the size of the next code unit, so that strings with the same
    // first bytes are cut at the same position.
    if (at - 1 + MAX_UNIT_BYTES > MAX_STRING_PART_BYTES) {
      bytes[at] = CUT;
      return bytes.subarray(0, at + 1);
    }
    if (isEscaped) {
      bytes[at++] = ESCAPE;
      bytes[at++] = first + 1;
    } else for (let unit = 0; unit < length; unit += 1) bytes[at++] = units[from + unit] ?? 0;
    from += length;
  }
  bytes[at] = END;
  return bytes.subarray(0, at + 1);
}

function decodeString(bytes: Buffer, start: number): SortedValue {
  let hasEscapes = false;
  for (let at = start; ; at += 1) {
    const byte = bytes[at];
    if (byte === CUT || byte === undefined) return { kind: 'cut', end: at + 1 };
    if (byte === END) {
      const text = hasEscapes ? decodeEscaped(bytes, start, at) : decodeUtf16Bytes(bytes, start, at);
      return { kind: 'whole', value: text, end: at + 1 };
    }
    if (byte === ESCAPE) {
      hasEscapes = true;
      at += 1;
    }
  }
}

function decodeEscaped(bytes: Buffer, start: number, end: number): string {
  const plain = Buffer.allocUnsafe(end - start);
  let length = 0;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    plain[length++] = byte === ESCAPE ? (bytes[++at] ?? 0) - 1 : byte;
  }
  return decodeUtf16Bytes(plain, 0, length);
}
