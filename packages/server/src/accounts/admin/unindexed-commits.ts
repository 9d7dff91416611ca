import { setImmediate } from 'node:timers/promises';
import type { BookCommit, BookHistory, Books, BookView, CommittedWrite } from '../../books/books.ts';
import { accountsBook, findAccount } from '../account-book.ts';
import { lacksEntry, uidOfEntry } from '../account-index.ts';

/** Commits that are looked at at once, so that nobody else waits for long. */
const STEP_COMMITS = 100;

/** What looking at the commits of a book of accounts came to. */
export type IndexVerdict =
  /** All up to this commit are in the index. */
  | { readonly kind: 'indexed'; readonly commit: number }
  /** One is not, or the log does not have them any more. */
  | { readonly kind: 'doubtful' };

/** Looks whether the index of accounts has what the commits after one of them have changed. */
export async function findUnindexed(
  books: Books & BookHistory,
  projectId: string,
  after: number,
): Promise<IndexVerdict> {
  const name = accountsBook(projectId);
  let commit = after;
  for (;;) {
    const commits = books.commits(name, commit, STEP_COMMITS);
    const [first] = commits;
    if (first === undefined)
      return books.lastCommit(name) === commit ? { kind: 'indexed', commit } : { kind: 'doubtful' };
    if (first.number !== commit + 1) return { kind: 'doubtful' };
    const isDoubtful = books.read((view) => commits.some((one) => isUnindexed(view.book(name), one)));
    if (isDoubtful) return { kind: 'doubtful' };
    commit = commits.at(-1)?.number ?? commit;
    await setImmediate();
  }
}

/** Whoever keeps the index removes an account together with its entries; one that is there has its entries. */
function isUnindexed(book: BookView, { writes }: BookCommit): boolean {
  const unlisted = new Set(
    writes.map(({ place: [kind, entry = ''], isRemoval }) =>
      kind === 'created' && isRemoval ? uidOfEntry(entry) : undefined,
    ),
  );
  return writes.some((write) => {
    const [kind, uid] = write.place;
    if (kind !== 'accounts') return false;
    if (uid === undefined) return !writesAllEntries(writes);
    const account = findAccount(book, uid);
    if (account !== undefined) return lacksEntry(book, account);
    return write.isRemoval && !unlisted.has(uid) && !writesAllEntries(writes);
  });
}

/** Commits may tell what happened to all children as what happened to their parent. */
function writesAllEntries(writes: readonly CommittedWrite[]): boolean {
  return writes.some(({ place: [kind, ...rest] }) => kind === 'created' && rest.length === 0);
}
