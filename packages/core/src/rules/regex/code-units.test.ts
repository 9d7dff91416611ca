import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CodeUnits, codeUnitsOf, complementOf, hasCodeUnit, UnitClasses } from './code-units.ts';

const unitArbitrary = fc.oneof(
  fc.nat(0x90),
  fc.integer({ min: 0, max: 0xffff }),
  fc.constantFrom(0, 0x7f, 0x80, 0xffff),
);
const rangesArbitrary: fc.Arbitrary<CodeUnits> = fc.array(
  fc.tuple(unitArbitrary, unitArbitrary).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const),
  { maxLength: 5 },
);

test('[R98] a set has the code units of its ranges in ordered, separate ranges, and its complement has all others', () => {
  fc.assert(
    fc.property(rangesArbitrary, unitArbitrary, (ranges, unit) => {
      const units = codeUnitsOf(ranges);
      expect(hasCodeUnit(units, unit)).toBe(ranges.some(([from, to]) => from <= unit && unit <= to));
      expect(hasCodeUnit(complementOf(units), unit)).toBe(!hasCodeUnit(units, unit));
      expect(complementOf(complementOf(units))).toEqual(units);
      for (const [i, [from]] of units.entries()) expect(from).toBeGreaterThan((units[i - 1]?.[1] ?? -2) + 1);
    }),
  );
});

test('[R98] all code units of a class are in the same sets', () => {
  fc.assert(
    fc.property(fc.array(rangesArbitrary.map(codeUnitsOf), { maxLength: 4 }), unitArbitrary, (sets, unit) => {
      const classes = new UnitClasses(sets);
      const unitClass = classes.classOf(unit);
      expect(unitClass).toBeLessThan(classes.count);
      for (const units of sets)
        expect(hasCodeUnit(units, classes.representativeOf(unitClass))).toBe(hasCodeUnit(units, unit));
    }),
  );
});
