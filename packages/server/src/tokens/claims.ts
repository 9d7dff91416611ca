import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { isNestedDeeperThan } from '@hearth/core/wire/nesting.ts';

/** What a token says, as JSON. */
export type Claims = Readonly<Record<string, unknown>>;

/** Deepest claims that are read, so that rules can use them and answers can hold them. */
const MAX_LEVELS = 32;

/**
 * Reads a part of a token; its numbers are doubles, as rules see them. Throws a `SyntaxError` when it is not a JSON object
 * in UTF-8, or nested too deep.
 */
export function parseClaims(bytes: Uint8Array | string): Claims {
  const json = parseJsonText(typeof bytes === 'string' ? bytes : decodeUtf8(bytes));
  if (isNestedDeeperThan(json, MAX_LEVELS)) throw new SyntaxError('The JSON is nested too deep.');
  const claims = withDoubles(json);
  if (!isClaims(claims)) throw new SyntaxError('The JSON is no object.');
  return claims;
}

export function isClaims(json: unknown): json is Claims {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new SyntaxError('The bytes are not UTF-8.', { cause });
  }
}

/** What is read here is written into further tokens, where only doubles can be written. */
function withDoubles(json: unknown): unknown {
  if (typeof json === 'bigint') return Number(json);
  if (Array.isArray(json)) return json.map(withDoubles);
  if (!isClaims(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, withDoubles(value)]));
}
