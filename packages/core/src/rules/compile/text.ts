import type { WorkBudget } from '../evaluate/work-budget.ts';

/**
 * Maximum length of a result of `+` and `replace`, in UTF-16 code units. No string in a database is longer.
 */
export const MAX_TEXT_UNITS = 16_777_216;

export function tooLongText(subject: string): string {
  return `${subject} has more than ${MAX_TEXT_UNITS} characters. Limit the length of its parts first.`;
}

/**
 * `indexOf` may be slow if the sought string is longer than `MAX_SOUGHT` and the product of the two lengths
 * exceeds `MAX_PRODUCT`.
 */
const MAX_SOUGHT = 8;
const MAX_PRODUCT = 65_536;

/**
 * Returns the index of the first occurrence of `sought` at or after `from`, or -1. Takes linear time in both
 * lengths.
 */
export function findText(text: string, sought: string, from = 0): number {
  return sought.length <= MAX_SOUGHT || (text.length - from) * sought.length <= MAX_PRODUCT
    ? text.indexOf(sought, from)
    : findLongText(text, sought, from);
}

/** Searches with the algorithm of Knuth, Morris and Pratt, which never goes back in the text. */
function findLongText(text: string, sought: string, from: number): number {
  const borders = findBorders(sought);
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    matched = extendMatch(sought, borders, matched, unit);
    if (matched === sought.length) return at - matched + 1;
  }
  return -1;
}

/**
 * Returns, for each index i, the length of the longest proper prefix of the first i + 1 code units that is
 * also their suffix.
 */
function findBorders(sought: string): Int32Array {
  const borders = new Int32Array(sought.length);
  for (let i = 1; i < sought.length; i++)
    borders[i] = extendMatch(sought, borders, borders[i - 1] ?? 0, sought.charCodeAt(i));
  return borders;
}

/** Returns how many code units of `sought` match after one more code unit. */
function extendMatch(sought: string, borders: Int32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && sought.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
  return sought.charCodeAt(length) === unit ? length + 1 : length;
}

/** Units of work for each replaced occurrence. */
const OCCURRENCE_WORK = 40;

/**
 * Maximum number of pieces that wait to be joined, which limits the memory for texts with millions of
 * occurrences.
 */
const MAX_PIECES = 4096;

/**
 * Returns `text` with every occurrence of `sought` replaced by `by`, literally. The empty string occurs
 * between all UTF-16 code units, at the start and at the end. Returns `null` if the result would be longer
 * than `MAX_TEXT_UNITS`, or if too little work is left.
 */
export function replaceText(text: string, sought: string, by: string, work?: WorkBudget): string | null {
  let rest = MAX_TEXT_UNITS - text.length;
  let done = '';
  let pieces: string[] = [];
  let from = 0;
  for (let at = findText(text, sought); at >= 0; at = findNext(text, sought, at)) {
    rest -= by.length - sought.length;
    if (rest < 0 || work?.spend(OCCURRENCE_WORK) === false) return null;
    pieces.push(text.slice(from, at));
    from = at + sought.length;
    if (pieces.length === MAX_PIECES) {
      done += pieces.join(by) + by;
      pieces = [];
    }
  }
  pieces.push(text.slice(from));
  return done + pieces.join(by);
}

/** Returns the index of the next occurrence that does not overlap the one at `at`, or -1. */
function findNext(text: string, sought: string, at: number): number {
  const from = at + Math.max(sought.length, 1);
  return from > text.length ? -1 : findText(text, sought, from);
}
