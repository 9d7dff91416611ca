import { canonicalNumber } from './node.ts';

/**
 * Returns a text without the byte order mark that some editors write at the start of a file. The mark
 * identifies the encoding of the bytes and is not part of the text.
 */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/**
 * Workaround for a bug in the JavaScript engine (nodejs/node issue 63785). After `JSON.parse` creates an
 * object with a key that contains a backslash, it may read a different escaped key, such as `"\""`, as that
 * key. This code therefore masks keys before the engine parses them: it writes them without backslashes, with
 * each problematic character as `%` and four hexadecimal digits. It restores the keys afterwards.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/**
 * Returns JSON text with masked keys. Returns `undefined` if no key has an escape sequence, so the text needs
 * no change.
 */
function maskEscapedKeys(text: string): string | undefined {
  if (!text.includes('\\') || !hasEscapedKey(text)) return undefined;
  let masked = '';
  let copied = 0;
  for (const token of stringTokens(text)) {
    if (!token.isKey) continue;
    // The bug does not affect a string that is parsed on its own.
    const key: unknown = JSON.parse(text.slice(token.start, token.end));
    masked += `${text.slice(copied, token.start)}"${maskKey(String(key))}"`;
    copied = token.end;
  }
  return masked + text.slice(copied);
}

/** Returns the original form of a key that `maskEscapedKeys` masked. */
function unmaskKey(masked: string): string {
  return masked.replace(/%([0-9a-f]{4})/g, (_all, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters cannot stand unescaped in JSON.
const MASKED_CHARACTERS = /[%"\\\u0000-\u001f]/g;

function maskKey(key: string): string {
  return key.replace(MASKED_CHARACTERS, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function hasEscapedKey(text: string): boolean {
  for (const token of stringTokens(text)) if (token.isKey && token.isEscaped) return true;
  return false;
}

interface StringToken {
  /** Index of the opening quote. */
  readonly start: number;
  /** Index after the closing quote. */
  readonly end: number;
  readonly isEscaped: boolean;
  /** Whether a colon follows. */
  readonly isKey: boolean;
}

/** Yields the strings of a JSON text, up to the first unterminated string. */
function* stringTokens(text: string): Generator<StringToken> {
  let start = text.indexOf('"');
  while (start !== -1) {
    let end = start + 1;
    let isEscaped = false;
    while (end < text.length && text.charCodeAt(end) !== QUOTE) {
      if (text.charCodeAt(end) === BACKSLASH) {
        isEscaped = true;
        end++;
      }
      end++;
    }
    if (end >= text.length) return;
    end++;
    yield { start, end, isEscaped, isKey: isKeyEnd(text, end - 1) };
    start = text.indexOf('"', end);
  }
}

/** Returns whether a colon follows the closing quote at an index. */
function isKeyEnd(text: string, quote: number): boolean {
  let next = quote + 1;
  while (isSpace(text.charCodeAt(next))) next++;
  return text.charCodeAt(next) === COLON;
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

/**
 * Returns JSON text without spaces, with the members of every object sorted by name. Values that differ only in the
 * order of members have the same text.
 */
export function canonicalJson(json: unknown): string {
  if (typeof json === 'bigint') return json.toString();
  if (typeof json !== 'object' || json === null) return JSON.stringify(json ?? null);
  if (Array.isArray(json)) return `[${json.map(canonicalJson).join(',')}]`;
  const fields = Object.entries(json)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${JSON.stringify(name)}:${canonicalJson(value)}`);
  return `{${fields.join(',')}}`;
}

/**
 * The JavaScript engine hashes a string of more UTF-16 code units than this only by its length. All such keys of
 * one length collide, so that each new key is compared with all earlier ones.
 */
const MAX_HASHED_UNITS = 16_383;
/** Maximum number of UTF-16 code units that the engine may have to compare, for the long keys of one text. */
const MAX_COMPARED_UNITS = 2 ** 26;

/**
 * Throws a `SyntaxError` if parsing the text might compare long keys for longer than a few milliseconds. Without
 * this check, 1,900 keys of 17,000 characters would take seconds. Looks at a few characters per
 * `MAX_HASHED_UNITS` of a text without long strings.
 */
function assertFewLongKeys(text: string): void {
  let keys = 0;
  let comparedUnits = 0;
  // No string that contains the character at `start` is long.
  let start = 0;
  while (start + MAX_HASHED_UNITS < text.length) {
    const quote = findQuoteBefore(text, start + MAX_HASHED_UNITS, start);
    if (quote > start) {
      start = quote;
      continue;
    }
    const end = findQuoteAfter(text, start + MAX_HASHED_UNITS);
    if (end === -1) return;
    if (isKeyEnd(text, end)) {
      comparedUnits += keys * (end - start);
      keys += 1;
      if (comparedUnits > MAX_COMPARED_UNITS) throw new SyntaxError('The JSON has too many long keys.');
    }
    start = end;
  }
}

/** Returns the index of the last unescaped quote from `start` to `end`, or -1. */
function findQuoteBefore(text: string, end: number, start: number): number {
  let quote = text.lastIndexOf('"', end);
  while (quote > start && isEscaped(text, quote)) quote = text.lastIndexOf('"', quote - 1);
  return quote;
}

/** Returns the index of the first unescaped quote after `start`, or -1. */
function findQuoteAfter(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote;
}

/** Returns whether an odd number of backslashes stands before an index. */
function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (first > 0 && text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (index - first) % 2 === 1;
}

/**
 * Matches 16 consecutive digits where a number may begin: possibly an integer that a double cannot represent
 * exactly.
 */
const LONG_INTEGER_HINT = /(?:^|[\s:,[-])[0-9]{16}/;
/**
 * Matches integers with at most as many digits as a 64-bit integer. Longer ones become doubles, and are slow
 * to parse as integers.
 */
const INTEGER = /^-?[0-9]{16,19}$/;

/** A `JSON.parse` reviver with its third argument, which TypeScript's type library does not declare yet. */
type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;

/**
 * Parses JSON text and keeps 64-bit integers exact, as bigints where a double may not represent them. Throws
 * a `SyntaxError` for text that is not JSON, is nested too deeply, or has too many long keys.
 */
export function parseJsonText(text: string): unknown {
  // A text that is a single string contains no keys or numbers to check.
  if (text.startsWith('"')) return JSON.parse(text);
  assertFewLongKeys(text);
  const masked = maskEscapedKeys(text);
  if (masked !== undefined)
    return revive(masked, (key, value, context) => unmaskKeys(exactInteger(key, value, context)));
  return LONG_INTEGER_HINT.test(text) ? revive(text, exactInteger) : JSON.parse(text);
}

function exactInteger(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context.source ?? '';
  return INTEGER.test(source) ? canonicalNumber(BigInt(source)) : value;
}

function unmaskKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [unmaskKey(key), item]),
  );
}

function revive(text: string, reviver: Reviver): unknown {
  try {
    return JSON.parse(text, reviver as (key: string, value: unknown) => unknown);
  } catch (cause) {
    // The engine calls a reviver recursively, so the stack can overflow where parsing without a reviver
    // succeeds.
    if (cause instanceof RangeError) throw new SyntaxError('The JSON is nested too deeply.', { cause });
    throw cause;
  }
}
