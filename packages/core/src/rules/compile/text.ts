import type { WorkBudget } from '../evaluate/work-budget.ts';

/** Longest string that `+` and `replace` make, in UTF-16 units. No string in a database is longer. */
export const MAX_TEXT_UNITS = 16_777_216;

export function tooLongText(subject: string): string {
  return `${subject} has more than ${MAX_TEXT_UNITS} characters. Limit the length of its parts first.`;
}

/** What is sought that is longer than this, in a text that makes the product of the two lengths larger: the engine's own search might take long. */
const MAX_SOUGHT = 8;
const MAX_PRODUCT = 65_536;

/** Where `sought` first occurs in `text` at or after `from`; -1 if nowhere. In time linear in both, whatever they are. */
export function findText(text: string, sought: string, from = 0): number {
  return sought.length <= MAX_SOUGHT || (text.length - from) * sought.length <= MAX_PRODUCT
    ? text.indexOf(sought, from)
    : findLongText(text, sought, from);
}

/** The search of Knuth, Morris and Pratt: never looks back in the text. */
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

/** At i, the length of the longest text that both begins and ends the first i + 1 units, and is shorter than they are. */
function findBorders(sought: string): Int32Array {
  const borders = new Int32Array(sought.length);
  for (let i = 1; i < sought.length; i++)
    borders[i] = extendMatch(sought, borders, borders[i - 1] ?? 0, sought.charCodeAt(i));
  return borders;
}

/** How much of `sought` is matched after one more unit. */
function extendMatch(sought: string, borders: Int32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && sought.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
  return sought.charCodeAt(length) === unit ? length + 1 : length;
}

/** Units of work that each occurrence costs. */
const OCCURRENCE_WORK = 40;

/** Pieces that wait to be joined: a text of millions of occurrences is not held piece by piece. */
const MAX_PIECES = 4096;

/**
 * `text` with every occurrence of `sought` replaced, literally. The empty text occurs between all UTF-16 units, at the start
 * and at the end. `null` if the outcome would be longer than `MAX_TEXT_UNITS`, or if too little work is left.
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

/** The next occurrence that does not overlap the one at `at`. */
function findNext(text: string, sought: string, at: number): number {
  const from = at + Math.max(sought.length, 1);
  return from > text.length ? -1 : findText(text, sought, from);
}
