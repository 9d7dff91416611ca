import { crc32 } from 'node:zlib';
import { assert } from '@hearth/core/fault/assert.ts';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import { formatPath, parsePath } from '@hearth/core/tree/path.ts';
import type { Turn } from '../../commit/turn.ts';
import type { NodeId } from '../../kv/keys.ts';
import type { Clock } from '../../ops/clock.ts';
import { addGarbage } from '../../tree/reclaim.ts';
import type { Database } from '../database.ts';
import { decodeImport, encodeImport, type ImportRecord } from './import-record.ts';
import type { ImportRequest } from './import-service.ts';
import { importFailure } from './import-state.ts';
import type { ImportWriter } from './intake.ts';
import { beginIntake, type OpenIntake, resumeIntake } from './intakes.ts';

/** Bytes that are taken in between two looks at the clock. */
const SLICE_BYTES = 16_384;
/** Time that an import takes of one turn, in ms: requests wait for this much longer at most. */
const MAX_STEP_MS = 10;

export interface ImportRunOptions extends ImportWriter {
  /** Of its record. */
  readonly key: Buffer;
  readonly clock: Clock;
}

/**
 * One import while somebody works on it. Every turn ends with a record of where it stands, which is all that is needed to go on, and
 * from which it goes on when the turn is undone.
 */
export class ImportRun {
  readonly #options: ImportRunOptions;
  /** Where it stood after the last turn. */
  #saved: string;
  #record: ImportRecord;
  #intake: OpenIntake | null;
  #failure: Refusal | null = null;

  /** Goes on from a record. */
  constructor(options: ImportRunOptions, saved: string) {
    this.#options = options;
    this.#saved = saved;
    this.#record = decodeImport(saved);
    this.#intake = this.#resume();
  }

  /** Begins an import, and records it. */
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

  /** What has ended the import, in this process. */
  get failure(): Refusal | null {
    return this.#failure;
  }

  /** Nodes that are to be reclaimed if the import is given up. */
  get loose(): readonly NodeId[] {
    return this.#intake?.loose ?? [];
  }

  /**
   * Takes in bytes for as long as a turn may take, and returns how many; the others are to be given again. What is wrong
   * with them ends the import. Refuses with `store/full`.
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
        // A token that is longer than the slice needs a longer one, whatever time it takes.
      } while (taken < bytes.length && (count === 0 || this.#options.clock.elapsedMs() < endMs));
    });
    return taken;
  }

  /** Once all was taken: does some of what is left to do. The import is done when its record says so. */
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

  /** Leaves what has been built so far to be reclaimed, and removes the record. */
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
