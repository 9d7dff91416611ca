import { expect, test } from 'vitest';
import { memoryBooks } from '../../books/memory-books.fixture.ts';
import { emptyAccount } from '../account.ts';
import { accountsBook, saveAccount } from '../account-book.ts';
import { AccountDirectory } from './account-directory.ts';

const SEARCH = { projectId: 'demo', text: 'u', limit: 1_000 };

async function openDirectory(count: number): Promise<AccountDirectory> {
  const books = memoryBooks();
  await books.change((turn) => {
    for (let index = 0; index < count; index++)
      saveAccount(turn.book(accountsBook('demo')), undefined, emptyAccount(`u${index}`, turn.nowMs));
  });
  return new AccountDirectory(books);
}

test('[I614] a fifth search is refused until one has ended, be it because its client has gone', async () => {
  const directory = await openDirectory(300);
  const searches = Array.from({ length: 4 }, () => directory.search(SEARCH));
  for (const search of searches) expect((await search.next()).done).toBe(false);
  expect(() => directory.search(SEARCH)).toThrow('4 searches are under way');
  await searches[0]?.return();
  const next = directory.search(SEARCH);
  expect((await next.next()).done).toBe(false);
  await Promise.all([...searches, next].map((search) => search.return()));
});

test('[I614] a search that nobody reads counts for nothing', async () => {
  const directory = await openDirectory(1);
  for (let count = 0; count < 9; count++) await directory.search(SEARCH).return();
  const lines: string[] = [];
  for await (const line of directory.search(SEARCH)) lines.push(line.toString());
  expect(lines.join('')).toContain('"kind":"done","looked":1,"found":1,"isComplete":true');
});
