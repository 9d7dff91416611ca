import { findBytes } from './find-bytes.ts';

/** Parameters of an import that cannot be used; the message says what they must be. */
export class HashParametersError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'HashParametersError';
  }
}

/** The members of a request that imports accounts. */
export type Fields = Readonly<Record<string, unknown>>;

export function readFields(json: unknown, name: string): Fields {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return { ...json };
  throw new HashParametersError(`${name} must be an object.`);
}

/** A whole number within limits, as a number or as its digits; refuses its absence unless there is a default. */
export function readWhole(
  fields: Fields,
  name: string,
  least: number,
  most: number,
  absent?: number,
): number {
  const value = fields[name] ?? absent;
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most)
    return number;
  throw new HashParametersError(`${name} must be a whole number from ${least} to ${most}.`);
}

/** Bytes in base64 of either alphabet, with or without padding; empty when absent. */
export function readBytes(fields: Fields, name: string): Uint8Array {
  const value = fields[name] ?? '';
  const bytes = typeof value === 'string' ? findBytes(value) : undefined;
  if (bytes !== undefined) return bytes;
  throw new HashParametersError(`${name} must be bytes in base64.`);
}

/** Bytes of which there must be some. */
export function readKey(fields: Fields, name: string): Uint8Array {
  const bytes = readBytes(fields, name);
  if (bytes.length > 0) return bytes;
  throw new HashParametersError(`${name} is missing.`);
}

/** What a word stands for; refuses a word that is not in the table, and its absence unless there is a default. */
export function readWord<T>(
  fields: Fields,
  name: string,
  meanings: Readonly<Record<string, T>>,
  absent?: T,
): T {
  const value = fields[name];
  if ((value === undefined || value === null) && absent !== undefined) return absent;
  const meaning = typeof value === 'string' && Object.hasOwn(meanings, value) ? meanings[value] : undefined;
  if (meaning !== undefined) return meaning;
  throw new HashParametersError(`${name} must be one of ${Object.keys(meanings).join(', ')}.`);
}
