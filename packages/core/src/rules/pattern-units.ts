import { withCaseVariants } from './case-variants.ts';
import { type CodeUnits, codeUnitsOf, otherCodeUnits } from './code-units.ts';
import type { ClassItem, NamedClass, Pattern } from './regular-expression.ts';

const DIGITS = codeUnitsOf([range('0', '9')]);
const WORD = codeUnitsOf([range('0', '9'), range('A', 'Z'), range('_', '_'), range('a', 'z')]);
const LINE_TERMINATORS = codeUnitsOf([range('\n', '\n'), range('\r', '\r'), range('\u2028', '\u2029')]);
/** White space and line terminators of JavaScript. */
const SPACES = codeUnitsOf([
  range('\t', '\r'),
  ...[...' \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff'].map((unit) => range(unit, unit)),
  range('\u2000', '\u200a'),
]);

const NAMED: Readonly<Record<NamedClass, CodeUnits>> = {
  d: DIGITS,
  D: otherCodeUnits(DIGITS),
  s: SPACES,
  S: otherCodeUnits(SPACES),
  w: WORD,
  W: otherCodeUnits(WORD),
};
const ANY = otherCodeUnits(LINE_TERMINATORS);

/** A pattern that stands for one code unit. */
export type UnitPattern = Extract<Pattern, { readonly kind: 'character' | 'any' | 'class' }>;

/** The code units that a pattern stands for. */
export function patternUnits(pattern: UnitPattern, ignoresCase: boolean): CodeUnits {
  switch (pattern.kind) {
    case 'any':
      return ANY;
    case 'character':
      return foldCase([range(pattern.character, pattern.character)], ignoresCase);
    case 'class': {
      const units = foldCase(pattern.items.flatMap(itemUnits), ignoresCase);
      return pattern.isNegated ? otherCodeUnits(units) : units;
    }
    default:
      return pattern satisfies never;
  }
}

function foldCase(ranges: CodeUnits, ignoresCase: boolean): CodeUnits {
  const units = codeUnitsOf(ranges);
  return ignoresCase ? withCaseVariants(units) : units;
}

function itemUnits(item: ClassItem): CodeUnits {
  return item.kind === 'named' ? NAMED[item.name] : [range(item.from, item.to)];
}

function range(from: string, to: string): readonly [number, number] {
  return [from.charCodeAt(0), to.charCodeAt(0)];
}
