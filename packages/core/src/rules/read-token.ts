import { ExpressionSyntaxError } from './expression-syntax-error.ts';
import type { Locate } from './locate.ts';
import { decodeStringEscapes, printString } from './string-escapes.ts';
import type { Token } from './token.ts';

const SPACE = /(?:\s+|\/\/.*|\/\*[\s\S]*?\*\/)*/y;
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /(?:0[xX][0-9a-fA-F]+|(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)/y;
const STARTS_NUMBER = /\.?[0-9]/y;
/** What looks like one number with the letters and digits that follow it. */
const NUMBER_LIKE = /[\p{ID_Continue}$.]+/uy;
const SINGLE_QUOTED = /'[^'\\\n\r]*(?:\\(?:\r\n|[\s\S])[^'\\\n\r]*)*'/y;
const DOUBLE_QUOTED = /"[^"\\\n\r]*(?:\\(?:\r\n|[\s\S])[^"\\\n\r]*)*"/y;
/** A slash inside a class does not end it. */
const REGULAR_EXPRESSION =
  /\/((?:[^\\/[\n\r]|\\[^\n\r]|\[(?:[^\]\\\n\r]|\\[^\n\r])*\])+)\/([\p{ID_Continue}$]*)/uy;
const SYMBOL =
  />>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|[=!<>+\-*/%&|^]=|=>|&&|\|\||\?\?|\?\.(?![0-9])|\+\+|--|<<|>>|\*\*|[{}()[\].;,<>+\-*/%&|^!~?:=`]/y;

/**
 * The token at or after `from`, past white space and comments. A slash begins a regular expression where an `operand` is
 * expected, and divides elsewhere. Throws an `ExpressionSyntaxError` for what no token begins with.
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

  throw fail(`illegal character ${printString(first)}: it may only stand in a string.`);
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
