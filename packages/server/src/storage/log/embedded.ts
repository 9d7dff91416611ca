import type { KvRead, KvStore, KvWrite, NotPromise } from '../kv/store.ts';
import { type Commit, type Seq, seqOf } from './commit.ts';
import type { CommitLog, Head, LogLimits, LogTransaction, NewCommit, Sequenced } from './log.ts';
import {
  decodeHead,
  decodeRecord,
  encodeCommit,
  encodeHead,
  encodeRecord,
  findRecordSeq,
  headKey,
  type LogHead,
  putRecord,
  readRecords,
  removeOldRecords,
} from './record.ts';

export interface EmbeddedLogOptions {
  readonly store: KvStore;
  /** Maximum number of commits stored per database. Whole records are removed, the oldest first. */
  readonly maxCommits?: number;
  /** Maximum number of bytes of records stored per database. The last record is always stored. */
  readonly maxBytes?: number;
  /** Sends the writes of the store to other nodes. If absent, a transaction is durable once it has ended. */
  readonly replication?: Replication | undefined;
}

/**
 * Reports when the transactions of a store whose writes are sent to other nodes are committed, and when the next may
 * begin.
 */
export interface Replication {
  /** Resolves when all transactions so far are committed. */
  whenCommitted(): Promise<void>;
  /** Resolves when all transactions so far are committed, and no other node can have begun to lead. */
  whenCurrent(): Promise<void>;
  /** Resolves when the next transaction may begin; `undefined` if it may begin now. */
  whenReady(): Promise<void> | undefined;
}

const DEFAULT_MAX_COMMITS = 20_000;
const DEFAULT_MAX_BYTES = 64 * 2 ** 20;

/**
 * Maximum number of code units in a record of several commits, so that the record fits in one page of the
 * store. Text with characters of several bytes may exceed the page slightly. Commits of a transaction share
 * records, because each `put` has a fixed cost.
 */
const MAX_SHARED_RECORD_UNITS = 3_950;

/**
 * Maximum number of records removed for each record written. It is more than one, so that a log that is too long gets
 * shorter.
 */
const TRIM_PER_RECORD = 3;

const EMPTY: LogHead = { seq: 0, timeMs: 0, first: 1, bytes: 0 };
const DURABLE = Promise.resolve();

/** The commits that the running transaction has appended to the log of one database. */
interface Appended {
  head: LogHead;
  /** Encoded commits that are not in a record yet. `units` is their length in UTF-16 code units. */
  readonly commits: string[];
  units: number;
  /** Number of records written. */
  records: number;
}

/**
 * The log inside the store. Recording a commit and applying the commit are one transaction. The transaction is durable
 * when `sequence` returns; in a cluster, once it is in the replicated log.
 */
export class EmbeddedLog implements CommitLog {
  readonly #store: KvStore;
  readonly limits: LogLimits;
  readonly #replication: Replication | undefined;
  /** By database; empty between transactions. */
  readonly #appended = new Map<string, Appended>();

  constructor(options: EmbeddedLogOptions) {
    this.#store = options.store;
    this.limits = {
      commits: options.maxCommits ?? DEFAULT_MAX_COMMITS,
      bytes: options.maxBytes ?? DEFAULT_MAX_BYTES,
    };
    this.#replication = options.replication;
  }

  sequence<T>(body: (transaction: LogTransaction) => NotPromise<T>): Sequenced<T> {
    try {
      const result = this.#store.transact((tx): NotPromise<T> => {
        const value = body({ tx, append: (commit) => this.#append(tx, commit) });
        for (const [database, appended] of this.#appended) {
          this.#writeRecord(tx, database, appended);
          tx.put('meta', headKey(database), encodeHead(this.#trim(tx, database, appended)));
        }
        return value;
      });
      return { result, durable: this.#replication?.whenCommitted() ?? DURABLE };
    } finally {
      this.#appended.clear();
    }
  }

  whenReady(): Promise<void> | undefined {
    return this.#replication?.whenReady();
  }

  head(tx: KvRead, database: string): Head {
    const { seq, timeMs } = this.#appended.get(database)?.head ?? readHead(tx, database);
    return { seq: seqOf(seq), timeMs };
  }

  read(database: string, after: Seq, limit: number, maxBytes?: number): readonly Commit[] {
    return this.#store.read((tx) => readStored(tx, database, after, limit, maxBytes).commits);
  }

  readIn(tx: KvRead, database: string, after: Seq, limit: number, maxBytes?: number): readonly Commit[] {
    const { commits: stored, isWhole } = readStored(tx, database, after, limit, maxBytes);
    const appended = this.#appended.get(database);
    if (!isWhole || appended === undefined || appended.commits.length === 0) return stored;
    const firstSeq = appended.head.seq - appended.commits.length + 1;
    const waiting = decodeRecord(database, firstSeq, encodeRecord(appended.commits));
    return [...stored, ...waiting.filter(({ seq }) => seq > after)].slice(0, limit);
  }

  #append(tx: KvWrite, commit: NewCommit): Commit {
    const appended = this.#findAppended(tx, commit.database);
    const numbered: Commit = { ...commit, seq: seqOf(appended.head.seq + 1) };
    const text = encodeCommit(numbered);
    if (appended.units + text.length > MAX_SHARED_RECORD_UNITS)
      this.#writeRecord(tx, commit.database, appended);
    appended.commits.push(text);
    // One more for the comma before the next commit.
    appended.units += text.length + 1;
    appended.head = { ...appended.head, seq: numbered.seq, timeMs: commit.timeMs };
    return numbered;
  }

  #findAppended(tx: KvWrite, database: string): Appended {
    const known = this.#appended.get(database);
    if (known !== undefined) return known;
    const appended: Appended = { head: readHead(tx, database), commits: [], units: 0, records: 0 };
    this.#appended.set(database, appended);
    return appended;
  }

  #writeRecord(tx: KvWrite, database: string, appended: Appended): void {
    const count = appended.commits.length;
    if (count === 0) return;
    const bytes = encodeRecord(appended.commits);
    putRecord(tx, database, { seq: appended.head.seq - count + 1, bytes });
    appended.head = { ...appended.head, bytes: appended.head.bytes + bytes.length };
    appended.commits.length = 0;
    appended.units = 0;
    appended.records += 1;
  }

  /**
   * Removes the oldest records until the log is within its limits, or until the limit for one transaction is
   * reached.
   */
  #trim(tx: KvWrite, database: string, { head, records }: Appended): LogHead {
    const isTooLong = (first: number, bytes: number): boolean =>
      head.seq - first >= this.limits.commits || bytes > this.limits.bytes;
    if (!isTooLong(head.first, head.bytes)) return head;
    // The number of the oldest commit to keep under `maxCommits`. Only records before it have to be read,
    // unless the byte limit is exceeded.
    const upTo = head.bytes > this.limits.bytes ? undefined : head.seq - this.limits.commits + 1;
    const kept = removeOldRecords(tx, database, head, records * TRIM_PER_RECORD, isTooLong, upTo);
    return { ...head, ...kept };
  }
}

/** Returns commits, and whether all were read; false if a limit stopped the reading. */
function readStored(
  tx: KvRead,
  database: string,
  after: Seq,
  limit: number,
  maxBytes = Number.POSITIVE_INFINITY,
): { readonly commits: readonly Commit[]; readonly isWhole: boolean } {
  const commits: Commit[] = [];
  let readBytes = 0;
  for (const { seq, bytes } of readRecords(tx, database, findRecordSeq(tx, database, after + 1))) {
    commits.push(...decodeRecord(database, seq, bytes).filter((commit) => commit.seq > after));
    readBytes += bytes.length;
    if (commits.length >= limit || (commits.length > 0 && readBytes > maxBytes))
      return { commits: commits.slice(0, limit), isWhole: false };
  }
  return { commits, isWhole: true };
}

function readHead(tx: KvRead, database: string): LogHead {
  const stored = tx.find('meta', headKey(database));
  return stored === undefined ? EMPTY : decodeHead(stored);
}
