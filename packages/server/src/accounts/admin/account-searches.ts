import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Books } from '../../books/books.ts';
import type { Identity } from '../../identity/identity.ts';
import type { LiveConnections } from '../live-connections.ts';
import { RunningSearch } from './running-search.ts';
import { type AccountSearch, searchAccounts } from './search-accounts.ts';

/** Searches through all accounts that are under way at a time. */
const MAX_SEARCHES = 4;

/** The searches through all accounts that somebody waits for. */
export class AccountSearches implements LiveConnections {
  readonly #books: Books;
  readonly #running = new Map<RunningSearch, Identity>();

  constructor(books: Books) {
    this.#books = books;
  }

  /**
   * `searchAccounts` for somebody, until their credential counts no more. It must be read to its end or returned. Refuses with
   * `request/overload` one that is one too many.
   */
  open(identity: Identity, search: AccountSearch): RunningSearch {
    if (this.#running.size >= MAX_SEARCHES)
      throw new Refusal(
        'request/overload',
        `${MAX_SEARCHES} searches are under way: wait until one has ended.`,
      );
    const running = new RunningSearch(searchAccounts(this.#books, search), () => {
      this.#running.delete(running);
    });
    this.#running.set(running, identity);
    return running;
  }

  revokeCredentials(isRevoked: (identity: Identity) => boolean): void {
    for (const [running, identity] of [...this.#running]) if (isRevoked(identity)) running.stop();
  }
}
