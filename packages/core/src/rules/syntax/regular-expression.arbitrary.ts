import fc from 'fast-check';
import { printRegularExpression } from './print-regular-expression.fixture.ts';
import type { ClassItem, NamedClass, Pattern, RegularExpression, Repeat } from './regular-expression.ts';

const characterArbitrary = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...'abcAB01_ ') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...'-/^$()[]{}|\\*+?.,:=!<n',
      'é',
      '\n',
      '\u0000',
      '\u2028',
      '\ud83d',
      '\ude00',
    ),
  },
);

const classItemArbitrary: fc.Arbitrary<ClassItem> = fc.oneof(
  fc
    .tuple(characterArbitrary, characterArbitrary)
    .map(([a, b]) => ({ kind: 'range', ...(a < b ? { from: a, to: b } : { from: b, to: a }) }) as const),
  characterArbitrary.map((character) => ({ kind: 'range', from: character, to: character }) as const),
  fc.constantFrom<NamedClass>('d', 'D', 's', 'S', 'w', 'W').map((name) => ({ kind: 'named', name }) as const),
);

const repeatArbitrary: fc.Arbitrary<Repeat> = fc.oneof(
  fc.constantFrom<Repeat>({ least: 0, most: null }, { least: 1, most: null }, { least: 0, most: 1 }),
  fc.nat(2).map((least) => ({ least, most: null })),
  fc.tuple(fc.nat(2), fc.nat(2)).map(([least, more]) => ({ least, most: least + more })),
);

/**
 * Generates any pattern that the parser can produce: every sequence and alternation has at least two parts.
 */
const patternArbitrary: fc.Arbitrary<Pattern> = fc.letrec<{ pattern: Pattern }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    {
      weight: 3,
      arbitrary: characterArbitrary.map((character) => ({ kind: 'character', character }) as const),
    },
    fc.constant({ kind: 'any' } as const),
    fc
      .tuple(fc.boolean(), fc.array(classItemArbitrary, { minLength: 1, maxLength: 4 }))
      .map(([isNegated, items]) => ({ kind: 'class', isNegated, items }) as const),
    fc
      .tuple(tie('pattern'), repeatArbitrary)
      .map(([piece, repeat]) => ({ kind: 'repeat', piece, repeat }) as const),
    fc
      .array(tie('pattern'), { minLength: 2, maxLength: 4 })
      .map((pieces) => ({ kind: 'sequence', pieces }) as const),
    fc
      .array(tie('pattern'), { minLength: 2, maxLength: 3 })
      .map((branches) => ({ kind: 'alternation', branches }) as const),
  ),
})).pattern;

/** Generates any valid regular expression. */
export const regularExpressionArbitrary: fc.Arbitrary<RegularExpression> = fc
  .record({
    ignoresCase: fc.boolean(),
    isAtStart: fc.boolean(),
    isAtEnd: fc.boolean(),
    pattern: patternArbitrary,
  })
  .map((expression) => ({ ...expression, source: printRegularExpression(expression) }));
