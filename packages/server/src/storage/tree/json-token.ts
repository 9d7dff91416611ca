import { RequestError, type RequestErrorCode } from '@hearth/core/error/request-error.ts';
import { MAX_STRING_BYTES } from '@hearth/core/tree/draft.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { canonicalNumber } from '@hearth/core/tree/node.ts';
import { scalarJson } from '@hearth/core/tree/node-json.ts';

/** A position in JSON text. */
export interface JsonPosition {
  /** Number of bytes before the position, including a byte order mark. */
  readonly byte: number;
  /** Counted from 1. */
  readonly line: number;
  /** In bytes, counted from 1. */
  readonly column: number;
}

/** An error at a position in JSON text. The message includes the position. */
export class JsonRejection extends RequestError {
  readonly position: JsonPosition;

  constructor(
    code: RequestErrorCode,
    sentence: string,
    position: JsonPosition,
    options?: { readonly cause: unknown },
  ) {
    const { byte, line, column } = position;
    super(code, `${sentence.replace(/\.$/, '')}, at line ${line}, column ${column} (byte ${byte}).`, options);
    this.name = 'JsonRejection';
    this.position = position;
  }
}

/**
 * Returns the string whose text is between two quotes of valid JSON. `isPlain` means that it has no escape
 * sequence.
 */
export function decodeJsonString(bytes: Buffer, start: number, end: number, isPlain: boolean): string {
  const text = bytes.toString('utf8', start, end);
  return isPlain ? text : String(JSON.parse(`"${text}"`));
}

/**
 * Returns the value of a valid JSON number. Throws `value/invalid` for infinity, which no client could read
 * back.
 */
export function decodeJsonNumber(text: string): number | bigint {
  const value = parseJsonText(text);
  if (typeof value === 'bigint') return canonicalNumber(value);
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new RequestError('value/invalid', 'A number is out of range.');
  return canonicalNumber(value);
}

/**
 * Returns a string with escape sequences as JSON text in the canonical form that is stored. Throws
 * `value/string-too-long` if it exceeds the limit of a leaf.
 */
export function canonicalStringJson(bytes: Buffer, start: number, end: number): Buffer {
  const value = decodeJsonString(bytes, start, end, false);
  requireStringLength(Buffer.byteLength(value));
  return Buffer.from(scalarJson(value));
}

export function canonicalNumberJson(text: string): Buffer {
  return Buffer.from(scalarJson(decodeJsonNumber(text)));
}

/** Throws `value/string-too-long` if a string has more bytes in UTF-8 than a leaf may have. */
export function requireStringLength(bytes: number): void {
  if (bytes > MAX_STRING_BYTES) throw new RequestError('value/string-too-long');
}
