import type { LiveConnections } from '../../access/live-connections.ts';
import type { Principal } from '../../access/principal.ts';
import { END_OF_PARTS, ReleasableParts } from '../../http/byte-parts.ts';
import type { Holder, Lease } from '../../platform/lease.ts';
import type { ResourcePool } from '../../platform/resource-pool.ts';
import type { RecordRow, RecordStore } from '../../records/store.ts';
import { isJsonObject } from '../fields.ts';
import type { AccountScope } from '../tenants/scope.ts';
import { decodeAccount } from './account.ts';
import { type AccountFilter, isMatch } from './account-filter.ts';
import { accountRecords } from './account-store.ts';
import { readInSteps } from './query.ts';
import { userJson } from './user-json.ts';

type Lines = AsyncGenerator<Buffer, void, undefined>;

/** The output lines of a search. The search counts as running from its opening on, even if it is never read. */
class RunningSearch extends ReleasableParts {
  readonly #lines: Lines;
  readonly #place: Lease;
  readonly #onEnd: () => void;
  readonly #broken = new AbortController();
  #hasEnded = false;

  constructor(lines: Lines, place: Lease, onEnd: () => void) {
    super();
    this.#lines = lines;
    this.#place = place;
    this.#onEnd = onEnd;
  }

  /** Aborted by `stop`, to notify a consumer that is not requesting lines. */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /** Ends the search before its consumer has all lines. */
  stop(): void {
    this.end();
    this.#broken.abort();
  }

  override async next(): Promise<IteratorResult<Buffer, void>> {
    if (this.#hasEnded) return END_OF_PARTS;
    try {
      const line = await this.#lines.next();
      this.#place.recordProgress();
      if (line.done === true) this.end();
      return this.#hasEnded ? END_OF_PARTS : line;
    } catch (error) {
      this.end();
      throw error;
    }
  }

  override end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    void this.#lines.return();
    this.#place.release();
    this.#onEnd();
  }
}

export interface AccountSearch {
  readonly scope: AccountScope;
  readonly text: string;
  readonly filter: AccountFilter;
  /** The search ends when it has found this many accounts. */
  readonly limit: number;
}

/** Number of accounts between two progress lines; about 50 ms. */
const PROGRESS_ACCOUNTS = 5_000;

const SEARCHED = ['email', 'phoneNumber', 'displayName'] as const;

/**
 * Searches for accounts that match a filter and contain a text in their user id, address, phone number or name, ignoring case.
 * Yields lines of JSON in the order of the user ids as soon as they are found, and lines with the progress of
 * the search.
 */
async function* searchAccounts(
  recordStore: RecordStore,
  { scope, text, filter, limit }: AccountSearch,
): AsyncGenerator<Buffer, void, undefined> {
  const wanted = text.toLowerCase();
  let scanned = 0;
  let found = 0;
  for await (const rows of readInSteps(recordStore, accountRecords(scope), ['accounts'])) {
    const lines: object[] = [];
    for (const row of rows) {
      if (found === limit) break;
      scanned += 1;
      if (scanned % PROGRESS_ACCOUNTS === 0) lines.push({ kind: 'progress', looked: scanned, found });
      if (!has(row, wanted)) continue;
      const account = decodeAccount(row.key, row.value);
      if (!isMatch(account, filter)) continue;
      found += 1;
      lines.push({ kind: 'account', account: userJson(account, scope) });
    }
    if (lines.length > 0) yield linesOf(lines);
    if (found === limit) break;
  }
  yield linesOf([{ kind: 'done', looked: scanned, found, isComplete: found < limit }]);
}

function linesOf(lines: readonly object[]): Buffer {
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Returns whether a record contains the text. Reads the record without decoding it, because few records match. */
function has({ key, value }: RecordRow, wanted: string): boolean {
  if (key.toLowerCase().includes(wanted)) return true;
  if (!isJsonObject(value)) return false;
  return SEARCHED.some((name) => {
    const text = value[name];
    return typeof text === 'string' && text.toLowerCase().includes(wanted);
  });
}

/** The running searches through all accounts. */
export class AccountSearches implements LiveConnections {
  readonly #recordStore: RecordStore;
  readonly #places: ResourcePool;
  readonly #running = new Map<RunningSearch, Principal>();

  /** `places` are those for the searches of all administrators. */
  constructor(recordStore: RecordStore, places: ResourcePool) {
    this.#recordStore = recordStore;
    this.#places = places;
  }

  /**
   * Opens a search with `searchAccounts` for a principal. The search ends early if the credential of the
   * principal is revoked. The caller must read the search to its end, or call `return` or `end`. Throws
   * `request/overload` if too many searches are running.
   */
  open(identity: Principal, holder: Holder, search: AccountSearch): RunningSearch {
    const place = this.#places.requirePlace(holder, 'searches', () => running.stop());
    const running = new RunningSearch(searchAccounts(this.#recordStore, search), place, () => {
      this.#running.delete(running);
    });
    this.#running.set(running, identity);
    return running;
  }

  revokeCredentials(isRevoked: (identity: Principal) => boolean): void {
    for (const [running, identity] of [...this.#running]) if (isRevoked(identity)) running.stop();
  }
}
