import { setImmediate } from 'node:timers/promises';
import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Logger } from '../../platform/logger.ts';
import type {
  CommittedWrite,
  RecordCommit,
  RecordHistory,
  RecordStore,
  RecordTransaction,
  RecordView,
} from '../../records/store.ts';
import { type AccountScope, nameOfScope } from '../tenants/scope.ts';
import { decodeAccount } from './account.ts';
import {
  FROM_THE_START,
  INDEX_PHASES,
  type IndexName,
  type IndexPhase,
  indexPaths,
  isEntryOf,
  isIndexed,
  lacksEntry,
  readCount,
  readIndexState,
  uidOfEntry,
  writeCount,
  writeIndexState,
} from './account-index.ts';
import { accountRecords, findAccount, scopeOfRecords } from './account-store.ts';

/** Maximum number of accounts, or entries, that one transaction processes, so that other requests do not wait long. */
const STEP_RECORDS = 50;

/**
 * Continues to build the index of account records whose last commit is `commit`. Returns whether the index is
 * then complete.
 */
function indexStep(records: RecordTransaction, commit: number): boolean {
  const state = readIndexState(records);
  if (state.kind === 'complete') return true;
  const { phase, after } = state;
  const keys = phase === 'accounts' ? addEntries(records, after) : removeEntries(records, phase, after);
  const last = keys.at(-1);
  if (last !== undefined && keys.length === STEP_RECORDS) {
    writeIndexState(records, { ...state, after: last });
    return false;
  }
  const next = phaseAfter(phase);
  writeIndexState(
    records,
    next === undefined ? { kind: 'complete', commit } : { kind: 'incomplete', phase: next, after: null },
  );
  return next === undefined;
}

function phaseAfter(phase: IndexPhase): IndexPhase | undefined {
  return INDEX_PHASES[INDEX_PHASES.indexOf(phase) + 1];
}

/** Writes the entries of the next accounts, counts these accounts, and returns their uids. */
function addEntries(records: RecordTransaction, after: string | null): readonly string[] {
  const rows = records.list(['accounts'], { ...rangeAfter(after), limit: STEP_RECORDS });
  for (const { key, value } of rows)
    for (const location of indexPaths(decodeAccount(key, value))) records.write(location, true);
  writeCount(records, (after === null ? 0 : readCount(records)) + rows.length);
  return rows.map(({ key }) => key);
}

/** Checks the next entries of an index, removes those that fit no account, and returns all that were checked. */
function removeEntries(
  records: RecordTransaction,
  index: IndexName,
  after: string | null,
): readonly string[] {
  const entries = records.listKeys([index], { ...rangeAfter(after), limit: STEP_RECORDS });
  for (const entry of entries)
    if (!isEntryOf(findAccount(records, uidOfEntry(entry)), index, entry))
      records.write([index, entry], null);
  return entries;
}

function rangeAfter(after: string | null): { readonly after?: string } {
  return after === null ? {} : { after };
}

/** Maximum number of commits that are read in one step, so that other requests do not wait long. */
const STEP_COMMITS = 100;

/** Result of checking the commits of the account records. */
export type IndexCheck =
  /** All changes up to this commit are in the index. */
  | { readonly kind: 'indexed'; readonly commit: number }
  /** A change is missing in the index, or the log no longer has all commits. */
  | { readonly kind: 'doubtful' };

/** Checks whether the index of accounts contains the changes of the commits after `after`. */
async function findUnindexed(
  recordStore: RecordStore & RecordHistory,
  name: string,
  after: number,
): Promise<IndexCheck> {
  let commit = after;
  for (;;) {
    const commits = recordStore.commits(name, commit, STEP_COMMITS);
    const [first] = commits;
    if (first === undefined)
      return recordStore.lastCommit(name) === commit ? { kind: 'indexed', commit } : { kind: 'doubtful' };
    if (first.number !== commit + 1) return { kind: 'doubtful' };
    const isDoubtful = recordStore.read((view) =>
      commits.some((one) => isUnindexed(view.records(name), one)),
    );
    if (isDoubtful) return { kind: 'doubtful' };
    commit = commits.at(-1)?.number ?? commit;
    await setImmediate();
  }
}

/**
 * Returns whether a commit changed accounts without updating the index. A release that knows the index removes an account
 * together with its entries, and leaves no existing account without an entry.
 */
function isUnindexed(records: RecordView, { writes }: RecordCommit): boolean {
  const unlisted = new Set(
    writes.map(({ path: [kind, entry = ''], isRemoval }) =>
      kind === 'created' && isRemoval ? uidOfEntry(entry) : undefined,
    ),
  );
  return writes.some((write) => {
    const [kind, uid] = write.path;
    if (kind !== 'accounts') return false;
    if (uid === undefined) return !writesAllEntries(writes);
    const account = findAccount(records, uid);
    if (account !== undefined) return lacksEntry(records, account);
    return write.isRemoval && !unlisted.has(uid) && !writesAllEntries(writes);
  });
}

/**
 * Returns whether the commit changed all entries together. A commit may record a change of all children as one change of
 * their parent.
 */
function writesAllEntries(writes: readonly CommittedWrite[]): boolean {
  return writes.some(({ path: [kind, ...rest] }) => kind === 'created' && rest.length === 0);
}

export interface AccountIndexingOptions {
  readonly recordStore: RecordStore & RecordHistory;
  readonly logger: Logger;
}

/**
 * Number of writes to a record store after which the index state records the current commit. The log holds
 * several times as many commits.
 */
const RECORDED_WRITES = 5_000;

/**
 * Builds the index of accounts that existed before the index did, step by step between other requests. Each
 * step stores the progress, so that a restart after a crash continues from there. Accounts that change during
 * the build add their own entries. Rebuilds an index that another release left out of date because it does not
 * know the index.
 */
export class AccountIndexing implements Disposable {
  readonly #recordStore: RecordStore & RecordHistory;
  readonly #logger: Logger;
  /** Number of writes by record store, since the index state last recorded a commit. */
  readonly #writes = new Map<string, number>();
  /** Record stores for which it is not known yet whether another release left their index out of date. */
  readonly #unknown = new Set<string>();
  #isStopped = false;

  constructor({ recordStore, logger }: AccountIndexingOptions) {
    this.#recordStore = recordStore;
    this.#logger = logger;
  }

  /** Starts to index the accounts of these scopes, one after the other. */
  start(scopes: readonly AccountScope[]): void {
    this.#recordStore.watch((records) => {
      const scope = scopeOfRecords(records);
      if (scope !== undefined) this.#recordWrite(scope);
    });
    for (const scope of scopes) this.#unknown.add(accountRecords(scope));
    void this.#indexAll(scopes);
  }

  [Symbol.dispose](): void {
    this.#isStopped = true;
  }

  async #indexAll(scopes: readonly AccountScope[]): Promise<void> {
    for (const scope of scopes)
      try {
        await this.index(scope);
      } catch (error) {
        if (this.#isStopped) return;
        // The accounts of the other scopes are still indexed.
        this.#logger.error({ err: error, project: nameOfScope(scope) }, 'accounts could not be indexed');
      }
  }

  /**
   * Resolves when all accounts of a scope are in its index. Rejects with `request/overload` if the server
   * stops before that.
   */
  async index(scope: AccountScope): Promise<void> {
    const name = accountRecords(scope);
    await this.#resetIfOutdated(scope);
    this.#unknown.delete(name);
    // An index state would create a record store for a scope that has no accounts.
    if (this.#recordStore.read((view) => isIndexed(view.records(name)))) return;
    this.#logger.info({ project: nameOfScope(scope) }, 'indexing accounts');
    for (;;) {
      const commit = this.#recordStore.lastCommit(name);
      if (await this.#recordStore.change((transaction) => indexStep(transaction.records(name), commit)))
        break;
      if (this.#isStopped) throw new RequestError('request/overload');
      await setImmediate();
    }
    this.#logger.info({ project: nameOfScope(scope) }, 'accounts indexed');
  }

  /** Resets a complete index if a commit changed accounts without updating the index. */
  async #resetIfOutdated(scope: AccountScope): Promise<void> {
    const name = accountRecords(scope);
    const state = this.#recordStore.read((view) => readIndexState(view.records(name)));
    if (state.kind !== 'complete') return;
    const check = await findUnindexed(this.#recordStore, name, state.commit);
    if (check.kind === 'indexed') {
      if (check.commit - state.commit >= RECORDED_WRITES) await this.#saveState(scope);
      return;
    }
    this.#logger.warn(
      { project: nameOfScope(scope) },
      'a release without the account index changed accounts; rebuilding the index',
    );
    await this.#recordStore.change((transaction) =>
      writeIndexState(transaction.records(name), FROM_THE_START),
    );
  }

  #recordWrite(scope: AccountScope): void {
    const name = accountRecords(scope);
    const writes = (this.#writes.get(name) ?? 0) + 1;
    this.#writes.set(name, writes < RECORDED_WRITES ? writes : 0);
    if (writes < RECORDED_WRITES || this.#isStopped || this.#unknown.has(name)) return;
    this.#saveState(scope).catch((error: unknown) => {
      // This is harmless: the next start checks more commits.
      this.#logger.warn(
        { err: error, project: nameOfScope(scope) },
        'the state of the account index could not be stored',
      );
    });
  }

  async #saveState(scope: AccountScope): Promise<void> {
    const name = accountRecords(scope);
    const commit = this.#recordStore.lastCommit(name);
    await this.#recordStore.change((transaction) => {
      const records = transaction.records(name);
      if (readIndexState(records).kind === 'complete') writeIndexState(records, { kind: 'complete', commit });
    });
  }
}
