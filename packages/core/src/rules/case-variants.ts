import { type CodeUnits, codeUnitsOf, hasCodeUnit } from './code-units.ts';

const UNIT_COUNT = 0x10000;
const FIRST_NON_ASCII = 0x80;
/** What has a case. To ask for the case of all code units takes several times longer. */
const CASED = /[\p{Changes_When_Uppercased}\p{Changes_When_Lowercased}]/gu;

/** Code units that have a case, with those that they are alike but for case. Made when first needed. */
let variants: ReadonlyMap<number, readonly number[]> | undefined;

/**
 * The set with everything that differs from something in it by case only, as the flag `i` of JavaScript sees it: code units
 * with the same upper case, and no ASCII letter for one that is none.
 */
export function withCaseVariants(units: CodeUnits): CodeUnits {
  variants ??= findVariants();
  const added: (readonly [number, number])[] = [];
  for (const unit of isOfSingles(units) ? units.map(([from]) => from) : variants.keys())
    if (hasCodeUnit(units, unit))
      for (const variant of variants.get(unit) ?? []) added.push([variant, variant]);
  return codeUnitsOf([...units, ...added]);
}

/** Is a single unit in each range? */
function isOfSingles(units: CodeUnits): boolean {
  return units.every(([from, to]) => from === to);
}

function findVariants(): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  for (const [text] of allUnits().matchAll(CASED)) {
    const upper = upperCaseOf(text);
    const group = groups.get(upper);
    if (group === undefined) groups.set(upper, [text.charCodeAt(0)]);
    else group.push(text.charCodeAt(0));
  }
  return new Map([...groups.values()].flatMap((group) => group.map((unit) => [unit, group] as const)));
}

/** A text of every code unit there is. */
function allUnits(): string {
  return Array.from({ length: UNIT_COUNT }, (_, unit) => String.fromCharCode(unit)).join('');
}

/** A unit whose upper case is no single unit stays as it is; so does what would come to be ASCII. */
function upperCaseOf(text: string): number {
  const unit = text.charCodeAt(0);
  const upper = text.toUpperCase();
  if (upper.length !== 1) return unit;
  const upperUnit = upper.charCodeAt(0);
  return unit >= FIRST_NON_ASCII && upperUnit < FIRST_NON_ASCII ? unit : upperUnit;
}
