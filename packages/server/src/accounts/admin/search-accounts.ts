import type { BookRow, Books } from '../../books/books.ts';
import { accountsBook } from '../account-book.ts';
import { decodeAccount } from '../account-record.ts';
import { isJsonObject } from '../fields.ts';
import { userJson } from '../user-json.ts';
import { readInSteps } from './read-in-steps.ts';

export interface AccountSearch {
  readonly projectId: string;
  readonly text: string;
  /** It ends after so many. */
  readonly limit: number;
}

/** Accounts between two lines of progress: some 50 ms. */
const PROGRESS_ACCOUNTS = 5_000;

const SEARCHED = ['email', 'phoneNumber', 'displayName'] as const;

/**
 * Accounts that have a text somewhere in their user id, address, phone number or name, whatever its case, in the order of
 * their user ids: lines of JSON, each told as soon as it is there, among them how far the search is.
 */
export async function* searchAccounts(
  books: Books,
  { projectId, text, limit }: AccountSearch,
): AsyncGenerator<Buffer, void, undefined> {
  const wanted = text.toLowerCase();
  let looked = 0;
  let found = 0;
  for await (const rows of readInSteps(books, accountsBook(projectId), ['accounts'])) {
    const lines: object[] = [];
    for (const row of rows) {
      if (found === limit) break;
      looked += 1;
      if (looked % PROGRESS_ACCOUNTS === 0) lines.push({ kind: 'progress', looked, found });
      if (!has(row, wanted)) continue;
      found += 1;
      lines.push({ kind: 'account', account: userJson(decodeAccount(row.key, row.value)) });
    }
    if (lines.length > 0) yield linesOf(lines);
    if (found === limit) break;
  }
  yield linesOf([{ kind: 'done', looked, found, isComplete: found < limit }]);
}

function linesOf(lines: readonly object[]): Buffer {
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Looks at the record as it is: few of those that are looked at have to be decoded. */
function has({ key, value }: BookRow, wanted: string): boolean {
  if (key.toLowerCase().includes(wanted)) return true;
  if (!isJsonObject(value)) return false;
  return SEARCHED.some((name) => {
    const text = value[name];
    return typeof text === 'string' && text.toLowerCase().includes(wanted);
  });
}
