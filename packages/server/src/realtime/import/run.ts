import { crc32 } from 'node:zlib';
import { assert } from '@hearth/core/error/assert.ts';
import { Refusal } from '@hearth/core/error/request-error.ts';
import { formatPath, parsePath } from '@hearth/core/tree/path.ts';
import type { Clock } from '../../platform/clock.ts';
import type { NodeId } from '../../storage/kv/keys.ts';
import type { Turn } from '../../storage/transaction/transaction.ts';
import { addGarbage } from '../../storage/tree/garbage.ts';
import type { Database } from '../database/database.ts';
import { type ImportRequest, type ImportWriter, importFailure } from './import.ts';
import {
  beginIntake,
  decodeImport,
  encodeImport,
  type ImportRecord,
  type OpenIntake,
  resumeIntake,
} from './record.ts';

/** Bytes taken between two readings of the clock. */
const SLICE_BYTES = 16_384;
/** Longest time that an import takes in one transaction, in ms. Requests wait at most this much longer. */
const MAX_STEP_MS = 10;

export interface ImportRunOptions extends ImportWriter {
  /** The key of the import's record. */
  readonly key: Buffer;
  readonly clock: Clock;
}

/**
 * An import under way. Every transaction ends with a record of the import's state. The record contains
 * everything needed to resume, and the run returns to it when a transaction is rolled back.
 */
export class ImportRun {
  readonly #options: ImportRunOptions;
  /** The record after the last transaction. */
  #saved: string;
  #record: ImportRecord;
  #intake: OpenIntake | null;
  #failure: Refusal | null = null;

  /** Resumes from a record. */
  constructor(options: ImportRunOptions, saved: string) {
    this.#options = options;
    this.#saved = saved;
    this.#record = decodeImport(saved);
    this.#intake = this.#resume();
  }

  /** Starts an import and stores its record. */
  static begin(
    options: ImportRunOptions,
    turn: Turn,
    database: Database,
    { path, mode }: ImportRequest,
  ): ImportRun {
    const { operation, identity, areTriggersDisabled } = options;
    const intake = beginIntake(
      mode,
      { operation, identity, areTriggersDisabled, path, timeMs: turn.nowMs },
      turn,
      database,
    );
    const saved = encodeImport({
      v: 1,
      path: formatPath(path),
      mode,
      startedMs: turn.nowMs,
      touchedMs: turn.nowMs,
      status: 'open',
      offset: 0,
      crc32: 0,
      counts: intake.counts,
      failure: null,
      intake: intake.save(),
    });
    turn.tx.put('meta', options.key, Buffer.from(saved));
    return new ImportRun(options, saved);
  }

  get record(): ImportRecord {
    return this.#record;
  }

  /** The error that ended the import in this process. */
  get failure(): Refusal | null {
    return this.#failure;
  }

  /** Nodes to delete if the import is canceled. */
  get loose(): readonly NodeId[] {
    return this.#intake?.loose ?? [];
  }

  /**
   * Takes bytes for as long as a transaction may run, and returns how many were taken. The caller passes the
   * rest again. An error in the bytes ends the import. Throws `store/full`.
   */
  take(turn: Turn, database: Database, bytes: Buffer, isLast: boolean): number {
    let taken = 0;
    this.#step(turn, (intake) => {
      const endMs = this.#options.clock.elapsedMs() + MAX_STEP_MS;
      let size = SLICE_BYTES;
      let count: number;
      do {
        const slice = bytes.subarray(taken, taken + size);
        const isLastSlice = taken + slice.length === bytes.length;
        count = intake.take(turn, database, slice, isLast && isLastSlice);
        this.#advance(slice.subarray(0, count));
        taken += count;
        if (count > 0) size = SLICE_BYTES;
        else if (isLastSlice) break;
        else size *= 2;
        // A token longer than the slice needs a longer slice, whatever time that takes.
      } while (taken < bytes.length && (count === 0 || this.#options.clock.elapsedMs() < endMs));
    });
    return taken;
  }

  /**
   * Does a part of the work that remains after all bytes are taken. The import is done when its record says so.
   */
  finish(turn: Turn, database: Database): void {
    this.#step(turn, (intake) => {
      const endMs = this.#options.clock.elapsedMs() + MAX_STEP_MS;
      do {
        if (!intake.finish(turn, database)) continue;
        this.#end(turn, { ...this.#record, status: 'done', counts: intake.counts });
        return;
      } while (this.#options.clock.elapsedMs() < endMs);
    });
  }

  /** Marks all nodes built so far for garbage collection and removes the record. */
  remove(turn: Turn): void {
    for (const node of this.loose) addGarbage(turn.tx, node);
    turn.tx.remove('meta', this.#options.key);
  }

  #step(turn: Turn, body: (intake: OpenIntake) => void): void {
    turn.mustBeWritable();
    const intake = this.#intake;
    assert(intake !== null, 'the import is open');
    const before = this.#saved;
    turn.onUndo(() => {
      this.#saved = before;
      this.#record = decodeImport(before);
      this.#intake = this.#resume();
      this.#failure = null;
    });
    try {
      body(intake);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#failure = error;
      this.#end(turn, {
        ...this.#record,
        status: 'failed',
        counts: intake.counts,
        failure: importFailure(error),
      });
    }
    this.#save(turn);
  }

  #advance(bytes: Buffer): void {
    const { offset, crc32: before } = this.#record;
    this.#record = { ...this.#record, offset: offset + bytes.length, crc32: crc32(bytes, before) };
  }

  #end(turn: Turn, record: ImportRecord): void {
    for (const node of this.loose) addGarbage(turn.tx, node);
    this.#intake = null;
    this.#record = record;
  }

  #save(turn: Turn): void {
    const intake = this.#intake;
    const counts = intake?.counts ?? this.#record.counts;
    this.#record = { ...this.#record, touchedMs: turn.nowMs, counts, intake: null };
    this.#saved = encodeImport({ ...this.#record, intake: intake?.save() ?? null });
    turn.tx.put('meta', this.#options.key, Buffer.from(this.#saved));
  }

  #resume(): OpenIntake | null {
    const { path, startedMs, intake } = this.#record;
    if (intake === null) return null;
    const { operation, identity, areTriggersDisabled } = this.#options;
    const options = { operation, identity, areTriggersDisabled, path: parsePath(path), timeMs: startedMs };
    return resumeIntake(options, intake);
  }
}
