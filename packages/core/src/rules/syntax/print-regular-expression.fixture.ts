import type { ClassItem, Pattern, RegularExpression, Repeat } from './regular-expression.ts';

/** Returns the text between the slashes. `parseRegularExpression` parses it to the same pattern. */
export function printRegularExpression(
  expression: Pick<RegularExpression, 'isAtStart' | 'isAtEnd' | 'pattern'>,
): string {
  const start = expression.isAtStart ? '^' : '';
  const end = expression.isAtEnd ? '$' : '';
  return `${start}${printPattern(expression.pattern)}${end}`;
}

function printPattern(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'character':
      return printCharacter(pattern.character);
    case 'any':
      return '.';
    case 'class':
      return `[${pattern.isNegated ? '^' : ''}${pattern.items.map(printClassItem).join('')}]`;
    case 'repeat':
      return `${printPiece(pattern.piece)}${printRepeat(pattern.repeat)}`;
    case 'sequence':
      return pattern.pieces
        .map((piece) => (piece.kind === 'repeat' ? printPattern(piece) : printPiece(piece)))
        .join('');
    case 'alternation':
      return pattern.branches
        .map((branch) => (branch.kind === 'alternation' ? group(branch) : printPattern(branch)))
        .join('|');
    default:
      return pattern satisfies never;
  }
}

/** Prints a pattern, in a group unless it matches a single character. */
function printPiece(pattern: Pattern): string {
  const isSingle = pattern.kind === 'character' || pattern.kind === 'any' || pattern.kind === 'class';
  return isSingle ? printPattern(pattern) : group(pattern);
}

function group(pattern: Pattern): string {
  return `(${printPattern(pattern)})`;
}

function printRepeat({ least, most }: Repeat): string {
  if (most === null) return least === 0 ? '*' : least === 1 ? '+' : `{${least},}`;
  if (most === least) return `{${least}}`;
  return least === 0 && most === 1 ? '?' : `{${least},${most}}`;
}

function printClassItem(item: ClassItem): string {
  if (item.kind === 'named') return `\\${item.name}`;
  return item.from === item.to
    ? printCharacter(item.from)
    : `${printCharacter(item.from)}-${printCharacter(item.to)}`;
}

const ESCAPED = /[\^$\\.*+?()[\]{}|/-]/;
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

function printCharacter(character: string): string {
  if (ESCAPED.test(character)) return `\\${character}`;
  if (!UNPRINTABLE.test(character)) return character;
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
