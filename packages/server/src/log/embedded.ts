import { type Commit, type Seq, seqOf } from '../commit/commit.ts';
import type { KvRead, KvStore, KvWrite, NotPromise } from '../kv/store.ts';
import type { CommitLog, Head, LogTurn, NewCommit, Sequenced } from './log.ts';
import { decodeHead, decodeRecord, encodeHead, encodeRecord, type LogHead } from './record.ts';
import { headKey, recordKey, recordRange } from './record-key.ts';

export interface EmbeddedLogOptions {
  readonly store: KvStore;
  /** Most commits kept per database; the oldest go first. */
  readonly maxCommits?: number;
  /** Most bytes of records kept per database, except that the last commit always is. */
  readonly maxBytes?: number;
}

const DEFAULT_MAX_COMMITS = 20_000;
const DEFAULT_MAX_BYTES = 256 * 2 ** 20;

/** Oldest records removed with each append: more than one, so that a log that is too long gets shorter. */
const TRIM_PER_APPEND = 4;

const EMPTY: LogHead = { seq: 0, timeMs: 0, first: 1, bytes: 0 };
const DURABLE = Promise.resolve();

/** The log within the store: recording a commit and applying it is one transaction, durable when it returns. */
export class EmbeddedLog implements CommitLog {
  readonly #store: KvStore;
  readonly #maxCommits: number;
  readonly #maxBytes: number;
  /** Heads changed by the running turn, written once at its end. */
  readonly #changed = new Map<string, LogHead>();

  constructor(options: EmbeddedLogOptions) {
    this.#store = options.store;
    this.#maxCommits = options.maxCommits ?? DEFAULT_MAX_COMMITS;
    this.#maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  }

  sequence<T>(body: (turn: LogTurn) => NotPromise<T>): Sequenced<T> {
    try {
      const result = this.#store.transact((tx): NotPromise<T> => {
        const value = body({ tx, append: (commit) => this.#append(tx, commit) });
        for (const [database, head] of this.#changed) tx.put('meta', headKey(database), encodeHead(head));
        return value;
      });
      return { result, durable: DURABLE };
    } finally {
      this.#changed.clear();
    }
  }

  head(tx: KvRead, database: string): Head {
    const { seq, timeMs } = this.#logHead(tx, database);
    return { seq: seqOf(seq), timeMs };
  }

  read(database: string, after: Seq, limit: number): readonly Commit[] {
    return this.#store.read((tx) => {
      const commits: Commit[] = [];
      for (const { key, value } of tx.scan('log', recordRange(database, after + 1))) {
        commits.push(decodeRecord(database, Number(key.readBigUInt64BE(key.length - 8)), value));
        if (commits.length >= limit) break;
      }
      return commits;
    });
  }

  #append(tx: KvWrite, commit: NewCommit): Commit {
    const head = this.#logHead(tx, commit.database);
    const numbered: Commit = { ...commit, seq: seqOf(head.seq + 1) };
    const record = encodeRecord(numbered);
    tx.put('log', recordKey(commit.database, numbered.seq), record);
    this.#changed.set(
      commit.database,
      this.#trim(tx, commit.database, {
        seq: numbered.seq,
        timeMs: commit.timeMs,
        first: head.first,
        bytes: head.bytes + record.length,
      }),
    );
    return numbered;
  }

  #trim(tx: KvWrite, database: string, head: LogHead): LogHead {
    let { first, bytes } = head;
    for (let i = 0; i < TRIM_PER_APPEND && first < head.seq; i++) {
      if (head.seq - first < this.#maxCommits && bytes <= this.#maxBytes) break;
      const key = recordKey(database, first);
      bytes -= tx.find('log', key)?.length ?? 0;
      tx.remove('log', key);
      first++;
    }
    return { ...head, first, bytes };
  }

  #logHead(tx: KvRead, database: string): LogHead {
    const changed = this.#changed.get(database);
    if (changed !== undefined) return changed;
    const stored = tx.find('meta', headKey(database));
    return stored === undefined ? EMPTY : decodeHead(stored);
  }
}
