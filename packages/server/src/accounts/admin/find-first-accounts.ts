import type { Books } from '../../books/books.ts';
import type { Account } from '../account.ts';
import { accountsBook } from '../account-book.ts';
import { decodeAccount } from '../account-record.ts';
import { type AccountOrder, compareAccounts } from './account-order.ts';
import { readInSteps } from './read-in-steps.ts';

/** The first accounts of a project in some order. Memory holds some more at most; time grows with all accounts. */
export async function findFirstAccounts(
  books: Books,
  projectId: string,
  order: AccountOrder,
  count: number,
): Promise<readonly Account[]> {
  const compare = (a: Account, b: Account): number => compareAccounts(a, b, order);
  let first: Account[] = [];
  for await (const rows of readInSteps(books, accountsBook(projectId), ['accounts'])) {
    const last = first.length < count ? undefined : first.at(-1);
    const step = rows.map(({ key, value }) => decodeAccount(key, value));
    first.push(...step.filter((account) => last === undefined || compare(account, last) < 0));
    if (first.length > count) first = first.sort(compare).slice(0, count);
  }
  return first.sort(compare);
}
