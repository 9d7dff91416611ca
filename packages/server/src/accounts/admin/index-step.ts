import type { BookTurn } from '../../books/books.ts';
import { findAccount } from '../account-book.ts';
import { type IndexName, indexPlaces, isEntryOf, uidOfEntry } from '../account-index.ts';
import {
  INDEX_PHASES,
  type IndexPhase,
  readCount,
  readIndexState,
  writeCount,
  writeIndexState,
} from '../account-index-state.ts';
import { decodeAccount } from '../account-record.ts';

/** Accounts, or entries, in one turn, so that nobody else waits for long. */
const STEP_RECORDS = 50;

/** Goes on with the index of a book of accounts, whose last commit is `commit`. Is it complete after it? */
export function indexStep(book: BookTurn, commit: number): boolean {
  const state = readIndexState(book);
  if (state.kind === 'complete') return true;
  const { phase, after } = state;
  const keys = phase === 'accounts' ? addEntries(book, after) : removeEntries(book, phase, after);
  const last = keys.at(-1);
  if (last !== undefined && keys.length === STEP_RECORDS) {
    writeIndexState(book, { ...state, after: last });
    return false;
  }
  const next = phaseAfter(phase);
  writeIndexState(
    book,
    next === undefined ? { kind: 'complete', commit } : { kind: 'incomplete', phase: next, after: null },
  );
  return next === undefined;
}

function phaseAfter(phase: IndexPhase): IndexPhase | undefined {
  return INDEX_PHASES[INDEX_PHASES.indexOf(phase) + 1];
}

/** Gives the next accounts their entries, counts them, and returns their uids. */
function addEntries(book: BookTurn, after: string | null): readonly string[] {
  const rows = book.list(['accounts'], { ...rangeAfter(after), limit: STEP_RECORDS });
  for (const { key, value } of rows)
    for (const place of indexPlaces(decodeAccount(key, value))) book.write(place, true);
  writeCount(book, (after === null ? 0 : readCount(book)) + rows.length);
  return rows.map(({ key }) => key);
}

/** Removes those of the next entries of an index that fit no account, and returns them all. */
function removeEntries(book: BookTurn, index: IndexName, after: string | null): readonly string[] {
  const entries = book.listKeys([index], { ...rangeAfter(after), limit: STEP_RECORDS });
  for (const entry of entries)
    if (!isEntryOf(findAccount(book, uidOfEntry(entry)), index, entry)) book.write([index, entry], null);
  return entries;
}

function rangeAfter(after: string | null): { readonly after?: string } {
  return after === null ? {} : { after };
}
