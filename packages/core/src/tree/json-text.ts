import { canonicalNumber } from './node.ts';

/** A text without the mark that some editors begin files with; it says how bytes are to be read, and is no part of the text. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/**
 * A way around a defect of the JavaScript engine (nodejs/node issue 63785): once `JSON.parse` has made an object with
 * a key that contains a backslash, it may read another escaped key, such as `"\""`, as that one. Keys are
 * therefore written without backslashes, each troublesome character as `%` and its four hexadecimal digits,
 * before the engine parses them, and restored after.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** JSON text whose keys are masked, or `undefined` when none has an escape sequence and the text can stay as it is. */
function maskEscapedKeys(text: string): string | undefined {
  if (!text.includes('\\') || !hasEscapedKey(text)) return undefined;
  let masked = '';
  let copied = 0;
  for (const token of stringTokens(text)) {
    if (!token.isKey) continue;
    // A text of its own is read without mistakes.
    const key: unknown = JSON.parse(text.slice(token.start, token.end));
    masked += `${text.slice(copied, token.start)}"${maskKey(String(key))}"`;
    copied = token.end;
  }
  return masked + text.slice(copied);
}

/** The key that `maskEscapedKeys` masked. */
function unmaskKey(masked: string): string {
  return masked.replace(/%([0-9a-f]{4})/g, (_all, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters cannot stand unescaped in JSON.
const TROUBLESOME = /[%"\\\u0000-\u001f]/g;

function maskKey(key: string): string {
  return key.replace(TROUBLESOME, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function hasEscapedKey(text: string): boolean {
  for (const token of stringTokens(text)) if (token.isKey && token.isEscaped) return true;
  return false;
}

interface StringToken {
  /** Of the opening quote. */
  readonly start: number;
  /** Behind the closing quote. */
  readonly end: number;
  readonly isEscaped: boolean;
  /** Does a colon follow? */
  readonly isKey: boolean;
}

/** The strings of a JSON text, up to the first that does not end. */
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
    let next = end;
    while (isSpace(text.charCodeAt(next))) next++;
    yield { start, end, isEscaped, isKey: text.charCodeAt(next) === COLON };
    start = text.indexOf('"', end);
  }
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

/**
 * JSON text with the members of every object sorted by name, without spaces: the same for equal queries, whatever order
 * a client wrote their members in.
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

/** Sixteen digits in a row where a number may begin: perhaps an integer that a double cannot hold. */
const LONG_DIGITS = /(?:^|[\s:,[-])[0-9]{16}/;
/** As many digits as 64 bits may take. Longer ones are doubles, and slow to read as integers. */
const INTEGER = /^-?[0-9]{16,19}$/;

/** The third argument of a `JSON.parse` reviver, which the language's type library does not know yet. */
type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;

/**
 * Parses JSON text, keeping integers of 64 bits exact (as bigints where a double may not hold them).
 * Throws a `SyntaxError` on anything that is not JSON or is nested absurdly deep.
 */
export function parseJsonText(text: string): unknown {
  // A string alone has neither keys nor numbers to be looked for.
  if (text.startsWith('"')) return JSON.parse(text);
  const masked = maskEscapedKeys(text);
  if (masked !== undefined)
    return revive(masked, (key, value, context) => unmaskKeys(exactInteger(key, value, context)));
  return LONG_DIGITS.test(text) ? revive(text, exactInteger) : JSON.parse(text);
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
    // The engine calls a reviver recursively, and runs out of stack where it would parse plainly.
    if (cause instanceof RangeError) throw new SyntaxError('The JSON is nested too deep.', { cause });
    throw cause;
  }
}
