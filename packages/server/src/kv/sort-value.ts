import { type IndexValue, OBJECT } from '@hearth/core/tree/order.ts';
import { decodeUtf16Bytes, encodeUtf16Bytes } from './utf16-bytes.ts';

const NULL = 0;
const FALSE = 1;
const TRUE = 2;
const NUMBER = 3;
const STRING = 4;
const OBJECT_RANK = 5;
const NUMBER_BYTES = 9;

const MAX_UNIT_BYTES = 3;

/** Most bytes of a string that are kept, escapes included. */
export const MAX_STRING_PART_BYTES = 512;

const NULL_BYTES = Buffer.from([NULL]);
const FALSE_BYTES = Buffer.from([FALSE]);
const TRUE_BYTES = Buffer.from([TRUE]);
const OBJECT_BYTES = Buffer.from([OBJECT_RANK]);

const END = 0x00;
const ESCAPE = 0x01;
const CUT = 0xff;

/** What is known of an index value from its sort bytes: all of it, or that it is some string with these first bytes. */
export type SortedValue =
  | { readonly kind: 'whole'; readonly value: IndexValue; readonly end: number }
  | { readonly kind: 'cut'; readonly end: number };

/**
 * Index value as bytes whose order is that of `compareIndexValues`; no value's bytes are the start of another's.
 * Shape: rank (1 byte: 0 null, 1 false, 2 true, 3 number, 4 string, 5 object); numbers follow as a double of 8 bytes, all
 * bits inverted if negative, else the sign bit. Strings follow as in `utf16-bytes.ts`, with 0x00 as 01 01 and 0x01 as
 * 01 02, and end with 0x00; those that would be longer than `MAX_STRING_PART_BYTES` are cut between units and end with
 * 0xff. Strings that are cut to the same bytes are equal here, and their order must be found from the values themselves.
 * Not to be written to: equal values may share their bytes.
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

/** Reads a value that starts at `start`; `end` of the result is where its bytes end. */
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

/** Does the value's place among strings with the same first bytes need the whole string? */
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
  // More units than that cannot all fit, and a long text must not be encoded whole to find out.
  const units = encodeUtf16Bytes(value.slice(0, MAX_STRING_PART_BYTES + 1));
  const bytes = Buffer.allocUnsafe(MAX_STRING_PART_BYTES + 2);
  bytes[0] = STRING;
  let at = 1;
  for (let from = 0; from < units.length; ) {
    const first = units[from] ?? 0;
    const isEscaped = first <= ESCAPE;
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : 3;
    // Whether the next unit would fit must not matter, or the mark would stand for units of one size only.
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
