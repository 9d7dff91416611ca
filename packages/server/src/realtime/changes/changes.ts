import { setImmediate } from 'node:timers/promises';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { type Path, parsePath } from '@hearth/core/tree/path.ts';
import type { Principal } from '../../access/principal.ts';
import type { KvRead, KvStore } from '../../storage/kv/store.ts';
import { type Author, seqOf } from '../../storage/log/commit.ts';
import type { CommitLog, LogLimits } from '../../storage/log/log.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { Database } from '../database/database.ts';
import { LaterWrites } from './conflicts.ts';
import { findLastWrite, type LastWrite } from './last-write.ts';
import {
  type ChangeKind,
  type ChangeRecord,
  type FinalReason,
  isUndoable,
  MAX_CHANGE_AGE_MS,
  MAX_FORMERS,
  MAX_KEPT_BYTES,
  readChanges,
  readFormers,
  releaseChange,
  requireChange,
} from './record.ts';
import { executeUndo } from './undo.ts';

export interface ChangesOptions {
  readonly store: KvStore;
  readonly scheduler: TransactionScheduler;
  readonly log: CommitLog;
  readonly openDatabase: (name: string, transaction?: WriteTransaction) => Database;
}

/** A change as its reader sees it. */
export interface ListedChange {
  readonly id: number;
  readonly kind: ChangeKind;
  readonly timeMs: number;
  readonly author: string;
  readonly paths: readonly string[];
  readonly count: number;
  /** Size of the kept data, in bytes. Until it is measured, only that of small entries. */
  readonly bytes: number;
  readonly isMeasured: boolean;
  readonly canUndo: boolean;
  readonly final: FinalReason | null;
  readonly undoes: number | null;
  readonly undoneBy: number | null;
}

export interface ChangePage {
  readonly changes: readonly ListedChange[];
  /** The id for the next page; `null` on the last page. */
  readonly next: number | null;
  readonly limits: { readonly bytes: number; readonly paths: number; readonly ageMs: number };
}

/** The writes of others since a change that its undo would overwrite. */
export interface LaterState {
  /** The number of the last commit that was examined. An undo may confirm the state up to it. */
  readonly seq: number;
  /** Whether all later writes are known. The log keeps only the latest commits. */
  readonly isComplete: boolean;
  readonly count: number;
  readonly writes: readonly LaterWriteState[];
}

export interface LaterWriteState {
  readonly path: string;
  readonly timeMs: number;
  readonly author: Author;
  readonly count: number;
  /** The value now, as JSON text; `null` if it is longer than `MAX_SHOWN_BYTES`. */
  readonly json: string | null;
}

/** The error of an undo that would overwrite writes of others. */
export class ChangeConflict extends RequestError {
  readonly later: LaterState;

  constructor(later: LaterState) {
    super('change/conflict');
    this.name = 'ChangeConflict';
    this.later = later;
  }
}

export interface UndoRequest {
  readonly identity: Principal;
  /** The name of the administrator who undoes the change. */
  readonly author: string;
  /** The number of the last commit whose effects may be overwritten, or `null`. */
  readonly confirmed: number | null;
}

/** Longest value that a later write shows, in bytes of JSON. */
const MAX_SHOWN_BYTES = 300;
/** Number of commits that one step examines, and the length after which it examines no further one. */
const STEP_COMMITS = 500;
const STEP_BYTES = 65_536;
/** Number of times that a scan continues because too many commits arrived in the meantime. */
const MAX_ATTEMPTS = 100;

/** The changes that administrators made and can undo. */
export class Changes {
  readonly #options: ChangesOptions;

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  /** Lists the changes of a database before an id, latest first. */
  list(database: string, before: number | undefined, limit: number): ChangePage {
    return this.#options.store.read((tx) => {
      const changes = [...readChanges(tx, database, before).take(limit + 1)];
      const shown = changes.slice(0, limit);
      return {
        changes: shown.map(listedChange),
        next: changes.length > limit ? (shown.at(-1)?.id ?? null) : null,
        limits: { bytes: MAX_KEPT_BYTES, paths: MAX_FORMERS, ageMs: MAX_CHANGE_AGE_MS },
      };
    });
  }

  /** Returns the writes of others since a change. Throws `change/unknown`, `change/final` or `request/overload`. */
  async later(database: string, id: number): Promise<LaterState> {
    return this.#examine(database, id, null, (_transaction, _record, _opened, later) => later());
  }

  /**
   * Undoes a change. The undo is recorded as a change too: returns its id, or `null` if there was nothing to restore.
   * Throws `ChangeConflict` if it would overwrite writes after `confirmed`, `change/unknown`, `change/final`, and the
   * errors of a write.
   */
  async undo(database: string, id: number, request: UndoRequest): Promise<number | null> {
    const { identity, author, confirmed } = request;
    return this.#examine(database, id, confirmed, (transaction, record, opened, later) => {
      const state = later();
      if (state.count > 0 || (!state.isComplete && confirmed === null)) throw new ChangeConflict(state);
      transaction.assertWritable();
      const formers = readFormers(transaction.tx, database, id);
      return executeUndo(transaction, opened, { operation: 'PATCH', identity, author }, record, formers);
    });
  }

  /** The commits in which the last write is found. */
  get logLimits(): LogLimits {
    return this.#options.log.limits;
  }

  /** Returns the last write at, above or below a path, as far as the log has it. */
  lastWrite(database: string, path: Path): Promise<LastWrite> {
    return findLastWrite(this.#options, database, path);
  }

  /** Removes the data that a change keeps, so that it cannot be undone. Throws `change/unknown`. */
  async forget(database: string, id: number): Promise<void> {
    await this.#options.scheduler.request((transaction) => {
      transaction.assertWritable();
      const record = requireChange(transaction.tx, database, id);
      if (record.isOpen) throw new RequestError('change/final');
      if (record.kept !== null) releaseChange(transaction.tx, database, record, { final: 'forgotten' });
    });
  }

  /**
   * Examines the log after a change, or after `confirmed`, and runs `body` in a transaction whose state has been
   * examined completely.
   */
  async #examine<T>(
    database: string,
    id: number,
    confirmed: number | null,
    body: (
      transaction: WriteTransaction,
      record: ChangeRecord,
      opened: Database,
      later: () => LaterState,
    ) => T,
  ): Promise<T> {
    const { store, scheduler, log, openDatabase } = this.#options;
    const scan = store.read((tx) => openScan(tx, database, id, confirmed));
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      for (;;) {
        const commits = log.read(database, seqOf(scan.seq), STEP_COMMITS, STEP_BYTES);
        if (commits.length === 0) break;
        scan.examine(commits);
        await setImmediate();
      }
      const outcome = await scheduler.request((transaction): { readonly result: T } | undefined => {
        const record = requireUndoable(transaction.tx, database, id);
        scan.examine(log.readIn(transaction.tx, database, seqOf(scan.seq), STEP_COMMITS, STEP_BYTES));
        if (scan.seq < log.head(transaction.tx, database).seq) return undefined;
        const opened = openDatabase(database, transaction);
        const later = (): LaterState => laterState(scan, opened, transaction);
        return { result: body(transaction, record, opened, later) };
      });
      if (outcome !== undefined) return outcome.result;
    }
    throw new RequestError('request/overload');
  }
}

function openScan(tx: KvRead, database: string, id: number, confirmed: number | null): LaterWrites {
  const record = requireUndoable(tx, database, id);
  const [first] = record.ranges;
  const from = Math.max(confirmed ?? 0, first === undefined ? 0 : first[0] - 1);
  return new LaterWrites(tx, database, record, readFormers(tx, database, id), from);
}

/** Throws `change/unknown` or `change/final`. */
function requireUndoable(tx: KvRead, database: string, id: number): ChangeRecord {
  const record = requireChange(tx, database, id);
  if (!isUndoable(record)) throw new RequestError('change/final');
  return record;
}

function laterState(scan: LaterWrites, database: Database, transaction: WriteTransaction): LaterState {
  const tree = database.tree(transaction);
  const writes = scan.list().map((write): LaterWriteState => {
    const path = parsePath(write.path.replace(/\/\.priority$/, ''));
    return { ...write, json: shortJson(() => tree.nodeJson(path, 'export', MAX_SHOWN_BYTES)) };
  });
  return { seq: scan.seq, isComplete: !scan.isIncomplete, count: scan.count, writes };
}

function shortJson(read: () => string): string | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RequestError && error.code === 'read/too-big') return null;
    throw error;
  }
}

function listedChange(record: ChangeRecord): ListedChange {
  const { id, kind, timeMs, author, paths, count, bytes, isMeasured, final, undoes, undoneBy } = record;
  return {
    id,
    kind,
    timeMs,
    author,
    paths,
    count,
    bytes,
    isMeasured,
    canUndo: isUndoable(record),
    final,
    undoes,
    undoneBy,
  };
}
