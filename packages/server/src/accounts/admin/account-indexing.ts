import { setImmediate } from 'node:timers/promises';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { BookHistory, Books } from '../../books/books.ts';
import type { Logger } from '../../ops/logger.ts';
import { accountsBook, projectOfBook } from '../account-book.ts';
import { FROM_THE_START, isIndexed, readIndexState, writeIndexState } from '../account-index-state.ts';
import { indexStep } from './index-step.ts';
import { findUnindexed } from './unindexed-commits.ts';

export interface AccountIndexingOptions {
  readonly books: Books & BookHistory;
  readonly logger: Logger;
}

/** After so many writes to a book it is noted up to where its index was kept: the log has several times as many commits. */
const NOTED_WRITES = 5_000;

/**
 * Makes the index of accounts that were there before it was kept, step by step between other requests. How far it has come is
 * written with each step, so that it goes on after a crash; accounts that change meanwhile bring their own entries. An index
 * that another release has left behind, because it did not know of it, is made anew.
 */
export class AccountIndexing implements Disposable {
  readonly #books: Books & BookHistory;
  readonly #logger: Logger;
  /** By project, since it was last noted up to where its index was kept. */
  readonly #writes = new Map<string, number>();
  /** Projects of which it is still to be looked whether another release has left their index behind. */
  readonly #unknown = new Set<string>();
  #isStopped = false;

  constructor({ books, logger }: AccountIndexingOptions) {
    this.#books = books;
    this.#logger = logger;
  }

  /** Begins with all of these projects, one after the other. */
  start(projectIds: readonly string[]): void {
    this.#books.watch((book) => {
      const projectId = projectOfBook(book);
      if (projectId !== undefined) this.#noteWrite(projectId);
    });
    for (const projectId of projectIds) this.#unknown.add(projectId);
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
    await this.#doubt(projectId);
    this.#unknown.delete(projectId);
    const name = accountsBook(projectId);
    // A book without accounts is not made for this.
    if (this.#books.read((view) => isIndexed(view.book(name)))) return;
    this.#logger.info({ project: projectId }, 'accounts are being indexed');
    for (;;) {
      const commit = this.#books.lastCommit(name);
      if (await this.#books.change((turn) => indexStep(turn.book(name), commit))) break;
      if (this.#isStopped) throw new Refusal('request/overload');
      await setImmediate();
    }
    this.#logger.info({ project: projectId }, 'accounts are indexed');
  }

  /** Has an index made anew that was kept up to some commit, if one of those after it did not keep it. */
  async #doubt(projectId: string): Promise<void> {
    const name = accountsBook(projectId);
    const state = this.#books.read((view) => readIndexState(view.book(name)));
    if (state.kind !== 'complete') return;
    const verdict = await findUnindexed(this.#books, projectId, state.commit);
    if (verdict.kind === 'indexed') {
      if (verdict.commit - state.commit >= NOTED_WRITES) await this.#note(projectId);
      return;
    }
    this.#logger.warn(
      { project: projectId },
      'accounts were changed by a release that does not know of their index, which is made anew',
    );
    await this.#books.change((turn) => writeIndexState(turn.book(name), FROM_THE_START));
  }

  #noteWrite(projectId: string): void {
    const writes = (this.#writes.get(projectId) ?? 0) + 1;
    this.#writes.set(projectId, writes < NOTED_WRITES ? writes : 0);
    if (writes < NOTED_WRITES || this.#isStopped || this.#unknown.has(projectId)) return;
    this.#note(projectId).catch((error: unknown) => {
      // The next start looks at more commits instead.
      this.#logger.warn({ err: error, project: projectId }, 'the index of accounts could not be noted');
    });
  }

  async #note(projectId: string): Promise<void> {
    const name = accountsBook(projectId);
    const commit = this.#books.lastCommit(name);
    await this.#books.change((turn) => {
      const book = turn.book(name);
      if (readIndexState(book).kind === 'complete') writeIndexState(book, { kind: 'complete', commit });
    });
  }
}
