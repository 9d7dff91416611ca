import { ExpressionSyntaxError, type Locate } from './problems.ts';

/** The range of a token, in UTF-16 code units of the expression. `end` is exclusive. */
interface TokenRange {
  readonly start: number;
  readonly end: number;
}

/**
 * A token of an expression. `symbol` is any punctuation of JavaScript, including punctuation that rules may
 * not contain.
 */
export type Token =
  | (TokenRange & { readonly kind: 'number'; readonly value: number })
  | (TokenRange & { readonly kind: 'string'; readonly value: string })
  | (TokenRange & { readonly kind: 'name'; readonly name: string })
  | (TokenRange & { readonly kind: 'regular-expression'; readonly source: string; readonly flags: string })
  | (TokenRange & { readonly kind: 'symbol'; readonly symbol: string })
  | (TokenRange & { readonly kind: 'end' });

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[\s\S]))/g;

/** Characters that an escape sequence represents. Any other escaped character represents itself. */
const ESCAPE_VALUES: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['0', '\0'],
  // A line that ends in a backslash continues on the next line.
  ...['\n', '\r', '\r\n', '\u2028', '\u2029'].map((lineBreak) => [lineBreak, ''] as const),
]);

/**
 * Escape letters, by the character that they produce. `0` is not included: its meaning depends on the next
 * character.
 */
const ESCAPE_LETTERS: ReadonlyMap<string, string> = new Map(
  Array.from(ESCAPE_VALUES, ([letter, meant]) => [meant, letter] as const).filter(
    ([meant, letter]) => meant !== '' && letter !== '0',
  ),
);

/**
 * Decodes the escapes of a JavaScript string literal. `text` is without the quotes. Throws an
 * `ExpressionSyntaxError` when an escape is invalid.
 */
function decodeStringEscapes(text: string, locate: Locate): string {
  return text.replace(ESCAPE, (written: string, unit?: string, byte?: string, character?: string, at = 0) => {
    const digits = unit ?? byte;
    if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
    const fail = (advice: string) =>
      new ExpressionSyntaxError(locate(at), `invalid escape '${written}': ${advice}`);
    if (character === 'u') throw fail('four hexadecimal digits must follow.');
    if (character === 'x') throw fail('two hexadecimal digits must follow.');
    const isOctal = /[1-9]/.test(written) || (character === '0' && /[0-9]/.test(text[at + 2] ?? ''));
    if (isOctal) throw fail('write a character by its number as \\u and four hexadecimal digits.');
    return ESCAPE_VALUES.get(character ?? '') ?? character ?? '';
  });
}

const ESCAPED = /['\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Returns a string literal in single quotes, which need no escape in a rules document. */
export function printString(value: string): string {
  return `'${value.replace(ESCAPED, escapeCharacter)}'`;
}

function escapeCharacter(character: string): string {
  if (character === "'" || character === '\\') return `\\${character}`;
  const letter = ESCAPE_LETTERS.get(character);
  if (letter !== undefined) return `\\${letter}`;
  const digits = character.charCodeAt(0).toString(16);
  return digits.length > 2 ? `\\u${digits.padStart(4, '0')}` : `\\x${digits.padStart(2, '0')}`;
}

const SPACE = /(?:\s+|\/\/.*|\/\*[\s\S]*?\*\/)*/y;
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /(?:0[xX][0-9a-fA-F]+|(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)/y;
const STARTS_NUMBER = /\.?[0-9]/y;
/** Matches text that looks like one number, including the letters and digits that follow it. */
const NUMBER_LIKE = /[\p{ID_Continue}$.]+/uy;
const SINGLE_QUOTED = /'[^'\\\n\r]*(?:\\(?:\r\n|[\s\S])[^'\\\n\r]*)*'/y;
const DOUBLE_QUOTED = /"[^"\\\n\r]*(?:\\(?:\r\n|[\s\S])[^"\\\n\r]*)*"/y;
/** A slash inside a class does not end the regular expression. */
const REGULAR_EXPRESSION =
  /\/((?:[^\\/[\n\r]|\\[^\n\r]|\[(?:[^\]\\\n\r]|\\[^\n\r])*\])+)\/([\p{ID_Continue}$]*)/uy;
const SYMBOL =
  />>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|[=!<>+\-*/%&|^]=|=>|&&|\|\||\?\?|\?\.(?![0-9])|\+\+|--|<<|>>|\*\*|[{}()[\].;,<>+\-*/%&|^!~?:=`]/y;

/**
 * Returns the token at or after `from`, past white space and comments. A slash begins a regular expression
 * where an `operand` is expected, and is a division elsewhere. Throws an `ExpressionSyntaxError` when no
 * token begins there.
 */
export function readToken(
  text: string,
  from: number,
  expected: 'operand' | 'operator',
  locate: Locate,
): Token {
  const start = skipSpace(text, from, locate);
  const fail = (message: string) => new ExpressionSyntaxError(locate(start), message);
  const first = text[start];
  if (first === undefined) return { kind: 'end', start, end: start };

  if (first === "'" || first === '"') {
    const quoted = match(first === "'" ? SINGLE_QUOTED : DOUBLE_QUOTED, text, start)?.[0];
    if (quoted === undefined) throw fail(`unterminated string literal: the closing ${first} is missing.`);
    const value = decodeStringEscapes(quoted.slice(1, -1), (index) => locate(start + 1 + index));
    return { kind: 'string', start, end: start + quoted.length, value };
  }

  if (match(STARTS_NUMBER, text, start) !== undefined) return readNumber(text, start, fail);

  if (first === '/' && expected === 'operand') {
    const literal = match(REGULAR_EXPRESSION, text, start);
    if (literal === undefined)
      throw fail('unterminated regular expression literal: the closing / is missing.');
    const [whole, source = '', flags = ''] = literal;
    return { kind: 'regular-expression', start, end: start + whole.length, source, flags };
  }

  const name = match(NAME, text, start)?.[0];
  if (name !== undefined) return { kind: 'name', start, end: start + name.length, name };

  const symbol = match(SYMBOL, text, start)?.[0];
  if (symbol !== undefined) return { kind: 'symbol', start, end: start + symbol.length, symbol };

  throw fail(`illegal character ${printString(first)}: it may only occur in a string.`);
}

function readNumber(text: string, start: number, fail: (message: string) => ExpressionSyntaxError): Token {
  const digits = match(NUMBER, text, start)?.[0] ?? '';
  const value = Number(digits);
  const end = start + digits.length;
  const isWhole = digits !== '' && (text[end] === '.' || match(NUMBER_LIKE, text, end) === undefined);
  if (!isWhole) {
    const found = match(NUMBER_LIKE, text, start)?.[0] ?? '';
    throw fail(`invalid number: '${found.slice(0, 40)}' is neither decimal nor hexadecimal.`);
  }
  if (value === Number.POSITIVE_INFINITY) throw fail('invalid number: it is too large.');
  return { kind: 'number', start, end, value };
}

function skipSpace(text: string, from: number, locate: Locate): number {
  const end = from + (match(SPACE, text, from)?.[0].length ?? 0);
  if (text.startsWith('/*', end))
    throw new ExpressionSyntaxError(locate(end), 'unterminated comment: the closing */ is missing.');
  return end;
}

function match(pattern: RegExp, text: string, from: number): RegExpExecArray | undefined {
  pattern.lastIndex = from;
  return pattern.exec(text) ?? undefined;
}
