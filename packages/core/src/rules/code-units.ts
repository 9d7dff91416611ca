/** A set of UTF-16 code units: inclusive ranges in order that neither meet nor overlap. */
export type CodeUnits = readonly (readonly [number, number])[];

const MAX_UNIT = 0xffff;

/** The set of any ranges. */
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

/** All code units that are not in the set. */
export function otherCodeUnits(units: CodeUnits): CodeUnits {
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
