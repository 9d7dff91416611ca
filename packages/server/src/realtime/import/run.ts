import { crc32 } from 'node:zlib';
import { assert } from '@hearth/core/error/assert.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { formatPath, type Path, parsePath } from '@hearth/core/tree/path.ts';
import type { Clock } from '../../platform/clock.ts';
import type { NodeId } from '../../storage/kv/keys.ts';
import type { Commit } from '../../storage/log/commit.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { addUnreferenced } from '../../storage/tree/garbage.ts';
import { closeChange, recordImport } from '../changes/recorder.ts';
import type { StoredContext } from '../database/authorize.ts';
import type { Database } from '../database/database.ts';
import { CompareSource } from './compare.ts';
import {
  type ImportRequest,
  type ImportSourceOptions,
  type ImportWriter,
  importFailure,
  writeUnrecorded,
} from './import.ts';
import {
  beginImportSource,
  decodeImport,
  encodeImport,
  type ImportRecord,
  type OpenImportSource,
  resumeImportSource,
} from './record.ts';
import { ReplaceSource } from './replace.ts';

/** Bytes taken between two readings of the clock. */
const SLICE_BYTES = 16_384;
/** Longest time that an import takes in one transaction, in ms. Requests wait at most this much longer. */
const MAX_STEP_MS = 10;

export interface ImportRunOptions extends ImportWriter {
  /** The key of the import's record. */
  readonly key: Buffer;
  readonly clock: Clock;
  readonly onIncrement?: ImportSourceOptions['onIncrement'];
}

function writerOf(options: ImportRunOptions): ImportWriter {
  const { operation, identity, networkOf, areTriggersDisabled, expected } = options;
  return { operation, identity, networkOf, areTriggersDisabled, expected };
}

/**
 * A running import. Every transaction ends with a record of the import's state. The record contains
 * everything needed to resume, and the run returns to it when a transaction is rolled back.
 */
export class ImportRun {
  readonly #options: ImportRunOptions;
  /** The record after the last transaction. */
  #saved: string;
  #record: ImportRecord;
  #importSource: OpenImportSource | null;
  #failure: RequestError | null = null;

  /** Resumes from a record. */
  constructor(options: ImportRunOptions, saved: string) {
    this.#options = options;
    this.#saved = saved;
    this.#record = decodeImport(saved);
    this.#importSource = this.#resume();
  }

  /** Starts an import and stores its record. */
  static begin(
    options: ImportRunOptions,
    transaction: WriteTransaction,
    database: Database,
    { path, mode, previewOf = 'replace', undoableBy }: ImportRequest,
  ): ImportRun {
    const importSource = beginImportSource(
      { mode, previewOf },
      {
        ...writerOf(options),
        path,
        timeMs: transaction.nowMs,
        onIncrement: options.onIncrement,
        recordWrites: writeUnrecorded,
      },
      transaction,
      database,
    );
    const saved = encodeImport({
      v: 1,
      path: formatPath(path),
      mode,
      startedMs: transaction.nowMs,
      touchedMs: transaction.nowMs,
      status: 'open',
      offset: 0,
      crc32: 0,
      counts: importSource.counts,
      failure: null,
      ...(mode === 'compare' ? { previewOf } : {}),
      ...(undoableBy === undefined || mode === 'compare' ? {} : { undoableBy }),
      intake: importSource.save(),
    });
    transaction.tx.put('meta', options.key, Buffer.from(saved));
    return new ImportRun(options, saved);
  }

  get record(): ImportRecord {
    return this.#record;
  }

  /** The error that ended the import in this process. */
  get failure(): RequestError | null {
    return this.#failure;
  }

  /** Nodes to delete if the import is canceled. */
  get unreferenced(): readonly NodeId[] {
    return this.#importSource?.unreferenced ?? [];
  }

  /**
   * Takes bytes for as long as a transaction may run, and returns how many were taken. The caller passes the
   * rest again. An error in the bytes ends the import. Throws `store/full`.
   */
  take(transaction: WriteTransaction, database: Database, bytes: Buffer, isLast: boolean): number {
    let taken = 0;
    this.#step(transaction, (importSource) => {
      const endMs = this.#options.clock.elapsedMs() + MAX_STEP_MS;
      let size = SLICE_BYTES;
      let count: number;
      do {
        const slice = bytes.subarray(taken, taken + size);
        const isLastSlice = taken + slice.length === bytes.length;
        count = importSource.take(transaction, database, slice, isLast && isLastSlice);
        this.#advance(slice.subarray(0, count));
        taken += count;
        if (count > 0) size = SLICE_BYTES;
        else if (isLastSlice) break;
        else size *= 2;
        // A token longer than the slice is scanned with a longer slice, however long that takes.
      } while (taken < bytes.length && (count === 0 || this.#options.clock.elapsedMs() < endMs));
    });
    return taken;
  }

  /**
   * Does a part of the work that remains after all bytes are taken. The import is done when the status in its record is
   * `done`.
   */
  finish(transaction: WriteTransaction, database: Database): void {
    this.#step(transaction, (importSource) => {
      const endMs = this.#options.clock.elapsedMs() + MAX_STEP_MS;
      do {
        if (!importSource.finish(transaction, database)) continue;
        this.#end(transaction, {
          ...this.#record,
          status: 'done',
          counts: importSource.counts,
          ...(importSource instanceof CompareSource ? { differences: importSource.differences } : {}),
        });
        return;
      } while (this.#options.clock.elapsedMs() < endMs);
    });
  }

  /** Puts the tree of a complete source in place of the node. Errors end the import, like those in its bytes. */
  link(transaction: WriteTransaction, database: Database, context: StoredContext): void {
    this.#step(transaction, (importSource) => {
      assert(importSource instanceof ReplaceSource, 'the import replaces a node');
      importSource.link(transaction, database, context);
      this.#end(transaction, { ...this.#record, status: 'done' });
    });
  }

  /** Marks all nodes built so far for garbage collection and removes the record. */
  remove(transaction: WriteTransaction): void {
    for (const node of this.unreferenced) addUnreferenced(transaction.tx, node);
    this.#closeChange(transaction);
    transaction.tx.remove('meta', this.#options.key);
  }

  #step(transaction: WriteTransaction, body: (importSource: OpenImportSource) => void): void {
    transaction.assertWritable();
    const importSource = this.#importSource;
    assert(importSource !== null, 'the import is open');
    const before = this.#saved;
    transaction.onRollback(() => {
      this.#saved = before;
      this.#record = decodeImport(before);
      this.#importSource = this.#resume();
      this.#failure = null;
    });
    try {
      body(importSource);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.#failure = error;
      this.#end(transaction, {
        ...this.#record,
        status: 'failed',
        counts: importSource.counts,
        failure: importFailure(error),
      });
    }
    this.#save(transaction);
  }

  #advance(bytes: Buffer): void {
    const { offset, crc32: before } = this.#record;
    this.#record = { ...this.#record, offset: offset + bytes.length, crc32: crc32(bytes, before) };
  }

  #end(transaction: WriteTransaction, record: ImportRecord): void {
    for (const node of this.unreferenced) addUnreferenced(transaction.tx, node);
    this.#importSource = null;
    this.#record = record;
    this.#closeChange(transaction);
  }

  #closeChange(transaction: WriteTransaction): void {
    const { change } = this.#record;
    if (change !== undefined) closeChange(transaction, change.database, change.id);
  }

  #recordWrites(
    transaction: WriteTransaction,
    database: Database,
    paths: readonly Path[],
    write: () => readonly (Commit | null)[],
  ): void {
    const { undoableBy, change, path } = this.#record;
    const writeAll = (): readonly Commit[] => write().filter((commit) => commit !== null);
    if (undoableBy === undefined) {
      writeAll();
      return;
    }
    const id = recordImport(
      transaction,
      database,
      { kind: 'import', author: undoableBy },
      { id: change?.id ?? null, base: parsePath(path), paths },
      writeAll,
    );
    if (id !== null) this.#record = { ...this.#record, change: { database: database.name, id } };
  }

  #save(transaction: WriteTransaction): void {
    const importSource = this.#importSource;
    const counts = importSource?.counts ?? this.#record.counts;
    this.#record = { ...this.#record, touchedMs: transaction.nowMs, counts, intake: null };
    this.#saved = encodeImport({ ...this.#record, intake: importSource?.save() ?? null });
    transaction.tx.put('meta', this.#options.key, Buffer.from(this.#saved));
  }

  #resume(): OpenImportSource | null {
    const { path, startedMs, intake } = this.#record;
    if (intake === null) return null;
    return resumeImportSource(
      {
        ...writerOf(this.#options),
        path: parsePath(path),
        timeMs: startedMs,
        onIncrement: this.#options.onIncrement,
        recordWrites: (transaction, database, paths, write) =>
          this.#recordWrites(transaction, database, paths, write),
      },
      intake,
    );
  }
}
