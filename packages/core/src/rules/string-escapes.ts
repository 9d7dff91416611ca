import { ExpressionSyntaxError } from './expression-syntax-error.ts';
import type { Locate } from './locate.ts';

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[\s\S]))/g;

/** Characters that an escape stands for; any other character stands for itself. */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['0', '\0'],
  // A line that ends in a backslash goes on in the next.
  ...['\n', '\r', '\r\n', '\u2028', '\u2029'].map((lineBreak) => [lineBreak, ''] as const),
]);

/** Letters that escape a character, by the character. Not 0: what it means depends on what follows. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  Array.from(MEANINGS, ([letter, meant]) => [meant, letter] as const).filter(
    ([meant, letter]) => meant !== '' && letter !== '0',
  ),
);

/** What a string literal of JavaScript stands for; `text` is without the quotes. Throws an `ExpressionSyntaxError`. */
export function decodeStringEscapes(text: string, locate: Locate): string {
  return text.replace(ESCAPE, (written: string, unit?: string, byte?: string, character?: string, at = 0) => {
    const digits = unit ?? byte;
    if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
    const fail = (advice: string) =>
      new ExpressionSyntaxError(locate(at), `invalid escape '${written}': ${advice}`);
    if (character === 'u') throw fail('four hexadecimal digits must follow.');
    if (character === 'x') throw fail('two hexadecimal digits must follow.');
    const isOctal = /[1-9]/.test(written) || (character === '0' && /[0-9]/.test(text[at + 2] ?? ''));
    if (isOctal) throw fail('write a character by its number as \\u and four hexadecimal digits.');
    return MEANINGS.get(character ?? '') ?? character ?? '';
  });
}

const ESCAPED = /['\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A string literal in single quotes, which need no escape in a rules document. */
export function printString(value: string): string {
  return `'${value.replace(ESCAPED, escapeCharacter)}'`;
}

function escapeCharacter(character: string): string {
  if (character === "'" || character === '\\') return `\\${character}`;
  const letter = LETTERS.get(character);
  if (letter !== undefined) return `\\${letter}`;
  const digits = character.charCodeAt(0).toString(16);
  return digits.length > 2 ? `\\u${digits.padStart(4, '0')}` : `\\x${digits.padStart(2, '0')}`;
}
