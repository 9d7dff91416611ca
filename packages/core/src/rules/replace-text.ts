import { findText } from './find-text.ts';
import { MAX_TEXT_UNITS } from './text-limit.ts';
import type { WorkBudget } from './work-budget.ts';

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
