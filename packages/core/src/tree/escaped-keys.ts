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
export function maskEscapedKeys(text: string): string | undefined {
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
export function unmaskKey(masked: string): string {
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
