import type { ClassItem, NamedClass, Pattern } from '../syntax/regular-expression.ts';

/** A set of UTF-16 code units: inclusive ranges in ascending order that neither touch nor overlap. */
export type CodeUnits = readonly (readonly [number, number])[];

const MAX_UNIT = 0xffff;

/** Returns the union of any ranges, as a set. */
export function codeUnitsOf(ranges: CodeUnits): CodeUnits {
  const sorted = ranges.toSorted((a, b) => a[0] - b[0]);
  const united: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = united.at(-1);
    if (last === undefined || from > last[1] + 1) united.push([from, to]);
    else last[1] = Math.max(last[1], to);
  }
  return united;
}

/** Returns all code units that are not in the set. */
export function complementOf(units: CodeUnits): CodeUnits {
  const others: [number, number][] = [];
  let from = 0;
  for (const [first, last] of units) {
    if (first > from) others.push([from, first - 1]);
    from = last + 1;
  }
  if (from <= MAX_UNIT) others.push([from, MAX_UNIT]);
  return others;
}

export function hasCodeUnit(units: CodeUnits, unit: number): boolean {
  let low = 0;
  let high = units.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = units[middle];
    if (range === undefined || unit < range[0]) high = middle - 1;
    else if (unit > range[1]) low = middle + 1;
    else return true;
  }
  return false;
}

const UNIT_COUNT = 0x10000;
const FIRST_NON_ASCII = 0x80;
/** Matches characters that have a case. Checking the case of every code unit takes several times longer. */
const CASED = /[\p{Changes_When_Uppercased}\p{Changes_When_Lowercased}]/gu;

/** Code units that have a case, each with the group of units that have the same upper case. Computed on first use. */
let variants: ReadonlyMap<number, readonly number[]> | undefined;

/**
 * Returns the set with every unit that differs from one of its units by case only, as the flag `i` of
 * JavaScript defines it. Code units match when they have the same upper case, but a non-ASCII unit never
 * matches an ASCII letter.
 */
function withCaseVariants(units: CodeUnits): CodeUnits {
  variants ??= findVariants();
  const added: (readonly [number, number])[] = [];
  for (const unit of hasOnlySingleUnits(units) ? units.map(([from]) => from) : variants.keys())
    if (hasCodeUnit(units, unit))
      for (const variant of variants.get(unit) ?? []) added.push([variant, variant]);
  return codeUnitsOf([...units, ...added]);
}

/** Returns whether every range contains a single unit. */
function hasOnlySingleUnits(units: CodeUnits): boolean {
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

/** Returns a text of all code units. */
function allUnits(): string {
  return Array.from({ length: UNIT_COUNT }, (_, unit) => String.fromCharCode(unit)).join('');
}

/**
 * Returns the upper case of a code unit, as a code unit. Returns the unit itself when its upper case is not a single
 * unit, or when a non-ASCII unit would become ASCII.
 */
function upperCaseOf(text: string): number {
  const unit = text.charCodeAt(0);
  const upper = text.toUpperCase();
  if (upper.length !== 1) return unit;
  const upperUnit = upper.charCodeAt(0);
  return unit >= FIRST_NON_ASCII && upperUnit < FIRST_NON_ASCII ? unit : upperUnit;
}

const ASCII = 0x80;

/** Partitions the code units into classes. Each of the given sets contains either all units of a class or none. */
export class UnitClasses {
  /** The first unit of each class, in ascending order. The first element is 0. */
  readonly #classStarts: readonly number[];
  readonly #ofAscii = new Uint16Array(ASCII);

  constructor(sets: Iterable<CodeUnits>) {
    const classStarts = new Set([0]);
    for (const units of sets) for (const [from, to] of units) classStarts.add(from).add(to + 1);
    this.#classStarts = [...classStarts].sort((a, b) => a - b);
    for (let unit = 0; unit < ASCII; unit++) this.#ofAscii[unit] = this.#find(unit);
  }

  get count(): number {
    return this.#classStarts.length;
  }

  /** Returns one unit of the class. */
  representativeOf(unitClass: number): number {
    return this.#classStarts[unitClass] ?? 0;
  }

  classOf(unit: number): number {
    return this.#ofAscii[unit] ?? this.#find(unit);
  }

  /** Returns the last class that begins at or before the unit. */
  #find(unit: number): number {
    let low = 0;
    let high = this.#classStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#classStarts[middle] ?? 0) <= unit) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

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
  D: complementOf(DIGITS),
  s: SPACES,
  S: complementOf(SPACES),
  w: WORD,
  W: complementOf(WORD),
};
const ANY = complementOf(LINE_TERMINATORS);

/** A pattern that matches one code unit. */
export type UnitPattern = Extract<Pattern, { readonly kind: 'character' | 'any' | 'class' }>;

/** Returns the code units that a pattern matches. */
export function patternUnits(pattern: UnitPattern, ignoresCase: boolean): CodeUnits {
  switch (pattern.kind) {
    case 'any':
      return ANY;
    case 'character':
      return foldCase([range(pattern.character, pattern.character)], ignoresCase);
    case 'class': {
      const units = foldCase(pattern.items.flatMap(itemUnits), ignoresCase);
      return pattern.isNegated ? complementOf(units) : units;
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
