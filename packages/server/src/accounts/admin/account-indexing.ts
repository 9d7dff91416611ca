import { setImmediate } from 'node:timers/promises';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Books, BooksTurn } from '../../books/books.ts';
import type { Logger } from '../../ops/logger.ts';
import { accountsBook } from '../account-book.ts';
import { indexPlaces, readIndexState, writeIndexState } from '../account-index.ts';
import { decodeAccount } from '../account-record.ts';

export interface AccountIndexingOptions {
  readonly books: Books;
  readonly logger: Logger;
}

/** Accounts in one turn, so that nobody else waits for long. */
const STEP_ACCOUNTS = 50;

/**
 * Makes the index of accounts that were there before it was kept, step by step between other requests. How far it has come is
 * written with each step, so that it goes on after a crash; accounts that change meanwhile bring their own entries.
 */
export class AccountIndexing implements Disposable {
  readonly #books: Books;
  readonly #logger: Logger;
  #isStopped = false;

  constructor({ books, logger }: AccountIndexingOptions) {
    this.#books = books;
    this.#logger = logger;
  }

  /** Begins with all of these projects, one after the other. */
  start(projectIds: readonly string[]): void {
    void this.#indexAll(projectIds);
  }

  [Symbol.dispose](): void {
    this.#isStopped = true;
  }

  async #indexAll(projectIds: readonly string[]): Promise<void> {
    for (const projectId of projectIds)
      try {
        await this.index(projectId);
      } catch (error) {
        if (this.#isStopped) return;
        // The accounts of other projects are indexed all the same.
        this.#logger.error({ err: error, project: projectId }, 'accounts could not be indexed');
      }
  }

  /** Resolves when all accounts of a project are in its index. Refuses with `request/overload` when the server ends before. */
  async index(projectId: string): Promise<void> {
    if (this.#books.read((view) => readIndexState(view.book(accountsBook(projectId)))).kind === 'complete')
      return;
    while (!(await this.#books.change((turn) => indexStep(turn, projectId)))) {
      if (this.#isStopped) throw new Refusal('request/overload');
      await setImmediate();
    }
  }
}

/** Is everything indexed after it? */
function indexStep(turn: BooksTurn, projectId: string): boolean {
  const book = turn.book(accountsBook(projectId));
  const state = readIndexState(book);
  if (state.kind === 'complete') return true;
  const range = { ...(state.after === null ? {} : { after: state.after }), limit: STEP_ACCOUNTS };
  const rows = book.list(['accounts'], range);
  const last = rows.at(-1);
  // A book without accounts is not made for this.
  if (last === undefined && state.after === null) return true;
  for (const { key, value } of rows)
    for (const place of indexPlaces(decodeAccount(key, value))) book.write(place, true);
  const isDone = last === undefined || rows.length < STEP_ACCOUNTS;
  writeIndexState(book, isDone ? { kind: 'complete' } : { kind: 'incomplete', after: last.key });
  return isDone;
}
