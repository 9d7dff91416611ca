import type { KvRead, KvStore, KvWrite, NotPromise } from '../kv/store.ts';
import { type Commit, type Seq, seqOf } from './commit.ts';
import type { CommitLog, Head, LogTurn, NewCommit, Sequenced } from './log.ts';
import { decodeHead, decodeRecord, encodeCommit, encodeHead, encodeRecord, type LogHead } from './record.ts';
import { decodeRecordSeq, headKey, recordKey, recordsFrom, recordsUpTo } from './record-key.ts';

export interface EmbeddedLogOptions {
  readonly store: KvStore;
  /** Most commits kept per database, give or take a record; the oldest go first. */
  readonly maxCommits?: number;
  /** Most bytes of records kept per database, except that the last record always is. */
  readonly maxBytes?: number;
}

const DEFAULT_MAX_COMMITS = 20_000;
const DEFAULT_MAX_BYTES = 64 * 2 ** 20;

/**
 * A record is ended once it is this long, so that records share pages of the store. Commits of a turn share records,
 * because a put costs more than its bytes.
 */
const FULL_RECORD_UNITS = 1_500;

/** Oldest records removed with each record written: more than one, so that a log that is too long gets shorter. */
const TRIM_PER_RECORD = 3;

const EMPTY: LogHead = { seq: 0, timeMs: 0, first: 1, bytes: 0 };
const DURABLE = Promise.resolve();

/** What the running turn has appended to the log of one database. */
interface Appended {
  head: LogHead;
  /** Commits that are not in a record yet, encoded, and their length. */
  readonly commits: string[];
  units: number;
}

/** The log within the store: recording a commit and applying it is one transaction, durable when it returns. */
export class EmbeddedLog implements CommitLog {
  readonly #store: KvStore;
  readonly #maxCommits: number;
  readonly #maxBytes: number;
  /** By database; empty between turns. */
  readonly #appended = new Map<string, Appended>();

  constructor(options: EmbeddedLogOptions) {
    this.#store = options.store;
    this.#maxCommits = options.maxCommits ?? DEFAULT_MAX_COMMITS;
    this.#maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  }

  sequence<T>(body: (turn: LogTurn) => NotPromise<T>): Sequenced<T> {
    try {
      const result = this.#store.transact((tx): NotPromise<T> => {
        const value = body({ tx, append: (commit) => this.#append(tx, commit) });
        for (const [database, appended] of this.#appended) {
          this.#writeRecord(tx, database, appended);
          tx.put('meta', headKey(database), encodeHead(appended.head));
        }
        return value;
      });
      return { result, durable: DURABLE };
    } finally {
      this.#appended.clear();
    }
  }

  head(tx: KvRead, database: string): Head {
    const { seq, timeMs } = this.#appended.get(database)?.head ?? readHead(tx, database);
    return { seq: seqOf(seq), timeMs };
  }

  read(database: string, after: Seq, limit: number): readonly Commit[] {
    return this.#store.read((tx) => {
      const commits: Commit[] = [];
      for (const { key, value } of tx.scan(
        'log',
        recordsFrom(database, findRecord(tx, database, after + 1)),
      )) {
        const record = decodeRecord(database, decodeRecordSeq(key), value);
        commits.push(...record.filter((commit) => commit.seq > after));
        if (commits.length >= limit) break;
      }
      return commits.slice(0, limit);
    });
  }

  #append(tx: KvWrite, commit: NewCommit): Commit {
    const appended = this.#findAppended(tx, commit.database);
    const numbered: Commit = { ...commit, seq: seqOf(appended.head.seq + 1) };
    const text = encodeCommit(numbered);
    appended.commits.push(text);
    appended.units += text.length;
    appended.head = { ...appended.head, seq: numbered.seq, timeMs: commit.timeMs };
    if (appended.units >= FULL_RECORD_UNITS) this.#writeRecord(tx, commit.database, appended);
    return numbered;
  }

  #findAppended(tx: KvWrite, database: string): Appended {
    const known = this.#appended.get(database);
    if (known !== undefined) return known;
    const appended: Appended = { head: readHead(tx, database), commits: [], units: 0 };
    this.#appended.set(database, appended);
    return appended;
  }

  #writeRecord(tx: KvWrite, database: string, appended: Appended): void {
    const count = appended.commits.length;
    if (count === 0) return;
    const record = encodeRecord(appended.commits);
    tx.put('log', recordKey(database, appended.head.seq - count + 1), record);
    appended.head = this.#trim(tx, database, {
      ...appended.head,
      bytes: appended.head.bytes + record.length,
    });
    appended.commits.length = 0;
    appended.units = 0;
  }

  /** Removes records from the old end, until the log is within its bounds or enough was done for one record. */
  #trim(tx: KvWrite, database: string, head: LogHead): LogHead {
    let { first, bytes } = head;
    for (let removed = 0; removed < TRIM_PER_RECORD; removed++) {
      if (head.seq - first < this.#maxCommits && bytes <= this.#maxBytes) break;
      const [oldest, next] = firstTwo(tx.scan('log', recordsFrom(database, first)));
      if (oldest === undefined || next === undefined) break;
      tx.remove('log', oldest.key);
      bytes -= oldest.value.length;
      first = decodeRecordSeq(next.key);
    }
    return { ...head, first, bytes };
  }
}

function readHead(tx: KvRead, database: string): LogHead {
  const stored = tx.find('meta', headKey(database));
  return stored === undefined ? EMPTY : decodeHead(stored);
}

/** The number under which the record with a commit is stored; the commit's own if no record has it. */
function findRecord(tx: KvRead, database: string, seq: number): number {
  for (const { key } of tx.scan('log', recordsUpTo(database, seq))) return decodeRecordSeq(key);
  return seq;
}

function firstTwo<T>(items: Iterable<T>): readonly T[] {
  const found: T[] = [];
  for (const item of items) if (found.push(item) === 2) break;
  return found;
}
