import { ExpressionSyntaxError } from './expression-syntax-error.ts';
import type { Locate } from './locate.ts';
import type { ClassItem, NamedClass } from './regular-expression.ts';

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([dDsSwW])|([\s\S]))/y;

/** Characters that an escape stands for; any other character stands for itself. */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);

/** What these mean elsewhere cannot be matched in linear time, or would silently be a letter here. */
const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  ...['b', 'B'].map((letter) => [letter, 'word boundaries are not supported'] as const),
  ...Array.from('0123456789', (digit) => [digit, 'references to groups are not supported'] as const),
  ['u', 'four hexadecimal digits must follow'],
  ['x', 'two hexadecimal digits must follow'],
]);

/** What a backslash at `index` and what follows stand for, and where it ends. Throws an `ExpressionSyntaxError`. */
export function readPatternEscape(
  source: string,
  index: number,
  locate: Locate,
): { readonly item: ClassItem; readonly end: number } {
  ESCAPE.lastIndex = index;
  const [whole = '\\', unit, byte, name, character = ''] = ESCAPE.exec(source) ?? [];
  const end = index + whole.length;
  if (name !== undefined && isNamedClass(name)) return { item: { kind: 'named', name }, end };
  const problem = UNSUPPORTED.get(character);
  if (problem !== undefined)
    throw new ExpressionSyntaxError(locate(index), `invalid regular expression: '${whole}': ${problem}.`);
  const digits = unit ?? byte;
  const meant =
    digits === undefined
      ? (MEANINGS.get(character) ?? character)
      : String.fromCharCode(Number.parseInt(digits, 16));
  return { item: { kind: 'range', from: meant, to: meant }, end };
}

function isNamedClass(letter: string): letter is NamedClass {
  return 'dDsSwW'.includes(letter);
}
