import { Refusal } from '@hearth/core/fault/refusal.ts';
import { MAX_STRING_BYTES } from '@hearth/core/tree/draft.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { scalarJson } from '@hearth/core/tree/node-json.ts';
import { canonicalNumber } from '@hearth/core/tree/number.ts';

/** The string between two quotes of valid JSON; `isPlain` when there is no escape sequence in it. */
export function decodeJsonString(bytes: Buffer, start: number, end: number, isPlain: boolean): string {
  const text = bytes.toString('utf8', start, end);
  return isPlain ? text : String(JSON.parse(`"${text}"`));
}

/** The number that a valid number of JSON stands for. Refuses infinity, which no client could read back. */
export function decodeJsonNumber(text: string): number | bigint {
  const value = parseJsonText(text);
  if (typeof value === 'bigint') return canonicalNumber(value);
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new Refusal('value/invalid', 'A number is out of range.');
  return canonicalNumber(value);
}

/** A string with escape sequences as JSON text in the one form that is stored. Refuses more than a leaf takes. */
export function canonicalStringJson(bytes: Buffer, start: number, end: number): Buffer {
  const value = decodeJsonString(bytes, start, end, false);
  mustBeStringLength(Buffer.byteLength(value));
  return Buffer.from(scalarJson(value));
}

export function canonicalNumberJson(text: string): Buffer {
  return Buffer.from(scalarJson(decodeJsonNumber(text)));
}

/** Refuses strings that are longer, in bytes of UTF-8, than a leaf takes. */
export function mustBeStringLength(bytes: number): void {
  if (bytes > MAX_STRING_BYTES) throw new Refusal('value/string-too-long');
}
