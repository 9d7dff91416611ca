import fc from 'fast-check';
import type { ClassItem, NamedClass, Pattern, RegularExpression } from '../syntax/regular-expression.ts';

/**
 * Common code units, and code units that are difficult for patterns: unusual case variants, line ends, and
 * halves of surrogate pairs.
 */
const UNITS = [
  'a',
  'b',
  'k',
  's',
  'A',
  'S',
  'Z',
  '0',
  '_',
  '-',
  ' ',
  '\n',
  '\u00a0',
  '\u00df',
  '\u00e9',
  '\u00c9',
].concat([
  '\u0130',
  '\u0131',
  '\u017f',
  '\u03a3',
  '\u03c2',
  '\u03c3',
  '\u1e9e',
  '\u2028',
  '\u212a',
  '\ud83d',
  '\ude00',
]);
const NAMED: readonly NamedClass[] = ['d', 'D', 's', 'S', 'w', 'W'];

export const unitArbitrary = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...UNITS) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) },
);

const rangeArbitrary: fc.Arbitrary<ClassItem> = fc.tuple(unitArbitrary, unitArbitrary).map(([a, b]) => {
  const [from, to] = a < b ? [a, b] : [b, a];
  return { kind: 'range', from, to };
});

const itemArbitrary: fc.Arbitrary<ClassItem> = fc.oneof(
  unitArbitrary.map((unit) => ({ kind: 'range', from: unit, to: unit }) as const),
  rangeArbitrary,
  fc.constantFrom(...NAMED).map((name) => ({ kind: 'named', name }) as const),
);

const repeatArbitrary = fc.constantFrom(
  ...[
    { least: 0, most: null },
    { least: 1, most: null },
    { least: 2, most: null },
    { least: 0, most: 1 },
    { least: 2, most: 2 },
    { least: 1, most: 3 },
    { least: 0, most: 0 },
  ],
);

const { pattern } = fc.letrec<{ pattern: Pattern; simple: Pattern }>((tie) => ({
  simple: fc.oneof(
    { weight: 4, arbitrary: unitArbitrary.map((character) => ({ kind: 'character', character }) as const) },
    { weight: 1, arbitrary: fc.constant({ kind: 'any' } as const) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('class' as const),
        isNegated: fc.boolean(),
        items: fc.array(itemArbitrary, { minLength: 1, maxLength: 3 }),
      }),
    },
  ),
  pattern: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'pattern' },
    tie('simple'),
    fc
      .array(tie('pattern'), { minLength: 2, maxLength: 3, depthIdentifier: 'pattern' })
      .map((pieces) => ({ kind: 'sequence', pieces }) as const),
    fc
      .array(tie('pattern'), { minLength: 2, maxLength: 3, depthIdentifier: 'pattern' })
      .map((branches) => ({ kind: 'alternation', branches }) as const),
    fc.record({ kind: fc.constant('repeat' as const), piece: tie('pattern'), repeat: repeatArbitrary }),
  ),
}));

/** Generates regular expressions without their source text. */
export const regularExpressionArbitrary: fc.Arbitrary<RegularExpression> = fc.record({
  source: fc.constant(''),
  ignoresCase: fc.boolean(),
  isAtStart: fc.boolean(),
  isAtEnd: fc.boolean(),
  pattern,
});
