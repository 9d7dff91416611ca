import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { RequestContext } from '../../access/authorization-request.ts';
import type { NodeId } from '../../storage/kv/keys.ts';
import type { Commit } from '../../storage/log/commit.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { Difference } from '../../storage/tree/compare.ts';
import { type JsonPosition, JsonRejection } from '../../storage/tree/json-token.ts';
import type { StoredContext } from '../database/authorize.ts';
import type { Database, Postponement } from '../database/database.ts';
import type { ExpectedNode } from '../database/write-input.ts';

/**
 * The imports that write. `replace`: the source replaces the node at the path atomically. `merge`: each child of the
 * source replaces the child with the same name, one after the other. `deep-merge`: objects that both have are merged at
 * every level, when the source is complete.
 */
export const WRITING_MODES = ['replace', 'merge', 'deep-merge'] as const;

export type WritingMode = (typeof WRITING_MODES)[number];

/** The action of an import. `compare`: the effect of an import on the stored node is counted, and nothing is changed. */
export const IMPORT_MODES = [...WRITING_MODES, 'compare'] as const;

export type ImportMode = (typeof IMPORT_MODES)[number];

/** Numbers of leaves for a comparison, of children for a merge, and of written nodes for a deep merge. */
export type ImportCounts = Readonly<Record<string, number>>;

/** The state of an import as its client sees it. */
export interface ImportState {
  readonly id: string;
  readonly path: string;
  readonly mode: ImportMode;
  readonly status: 'open' | 'done' | 'failed';
  /** Number of bytes of the source that are durably taken. The next bytes start here. */
  readonly offset: number;
  /** CRC-32 of these bytes, with which a client recognizes its source. */
  readonly crc32: number;
  readonly counts: ImportCounts;
  /** The import whose effect a comparison counts. */
  readonly previewOf?: WritingMode;
  /** The first differences that a comparison found. */
  readonly differences?: readonly Difference[];
  /** The change with which the import can be undone. */
  readonly change?: number;
  /** The reason of a failure. */
  readonly error?: string;
  /** The position of the failure in the source. */
  readonly position?: JsonPosition;
}

/** The error of a request that does not match the state of an import. */
export class ImportConflict extends RequestError {
  readonly state: ImportState;

  constructor(sentence: string, state: ImportState) {
    super('import/conflict', sentence);
    this.name = 'ImportConflict';
    this.state = state;
  }
}

/** The reason of an import's failure, as stored. */
export interface ImportFailure {
  readonly sentence: string;
  readonly position?: JsonPosition;
}

export function importFailure(requestError: RequestError): ImportFailure {
  const { message } = requestError;
  return requestError instanceof JsonRejection
    ? { sentence: message, position: requestError.position }
    : { sentence: message };
}

/** The caller that an import's writes are made for. */
export interface ImportWriter extends RequestContext {
  /** Whether triggers are skipped. Set only for an administrator's write. */
  readonly areTriggersDisabled: boolean;
  /** Compare-and-set: the node that must exist before the write. */
  readonly expected?: ExpectedNode | undefined;
}

/** Makes writes at paths, and records them as a part of the import's change, if it has one. */
type RecordWrites = (
  transaction: WriteTransaction,
  database: Database,
  paths: readonly Path[],
  write: () => readonly (Commit | null)[],
) => void;

/** Makes the writes of an import that cannot be undone. */
export const writeUnrecorded: RecordWrites = (_transaction, _database, _paths, write) => void write();

/** The caller and the target path of a source. */
export interface ImportSourceOptions extends ImportWriter {
  readonly recordWrites: RecordWrites;
  readonly path: Path;
  /** The time that timestamp placeholders in the source resolve to. */
  readonly timeMs: number;
  /** Called when an increment is resolved by the stored data. Without it, increments are rejected. */
  readonly onIncrement?: (() => void) | undefined;
}

/**
 * Takes the bytes of one import, within transactions. The result does not depend on where the bytes are cut.
 * After the rollback of a transaction, the caller continues with a source that it resumes from the earlier state.
 */
export interface ImportSource<State> {
  /**
   * Takes bytes of the source and returns how many were taken, possibly none. The caller passes the rest again,
   * followed by more bytes. Throws a `RequestError` if the bytes are invalid, or if `isLast` is set and the source is
   * not complete. The source then takes nothing more, and what it has built is in `unreferenced`.
   */
  take(transaction: WriteTransaction, database: Database, bytes: Buffer, isLast: boolean): number;
  /**
   * Does a part of the work that remains after all bytes are taken, and returns whether all work is done. Throws a
   * `RequestError` if the work cannot be done.
   */
  finish(transaction: WriteTransaction, database: Database): boolean;
  /** Nodes to delete when the import is over, whether it is done, has failed or is canceled. */
  readonly unreferenced: readonly NodeId[];
  readonly counts: ImportCounts;
  /** Returns the state, with which a later process resumes the import. The caller encodes it as JSON immediately. */
  save(): State;
}

/** A value that is stored in steps, invisible to readers. `run` stores it and resolves when that is done or has failed. */
export interface StagedValue extends Postponement {
  /** Whether the value was dropped, because another attempt wrote it in one step. */
  readonly wasDropped: boolean;
  /** Whether the node at the path has changed since increments of the value were resolved. */
  readonly isOutdated: boolean;
  /**
   * Replaces the node with the stored value, after `run`. Throws the error that made storing fail, and the errors of
   * `executeLink`; the value is then dropped.
   */
  finish(transaction: WriteTransaction, database: Database, context: StoredContext): void;
  /** Removes the stored value. */
  drop(transaction: WriteTransaction): void;
}

/** Stores the long values of clients that have sent them completely. */
export interface StagedWrites {
  /** Prepares the write of JSON text in export format. Networks store their values in turns. */
  stageValue(database: string, path: Path, json: string, network: string): StagedValue;
}

export interface StreamedSetRequest extends ImportWriter {
  readonly path: Path;
  /** The network of the client; absent if the server itself writes. */
  readonly network?: string;
  /** Whether the hash of the node after the write is returned. */
  readonly wantsHash?: boolean;
}

export interface ImportRequest {
  readonly path: Path;
  readonly mode: ImportMode;
  /** The import whose effect a comparison counts: a replacement, if absent. */
  readonly previewOf?: WritingMode;
  /** The administrator who can undo the import; absent if it cannot be undone. */
  readonly undoableBy?: string;
}

/** Writes of any size, stored in parts while they arrive. */
export interface ImportService {
  /**
   * Replaces the node at a path by JSON text in export format. The replacement is atomic and happens after all
   * bytes have arrived. Resolves with the hash of the node after it, `''` if the node is absent, `null` if it is not
   * requested. Rejects with a `RequestError`, having changed nothing.
   */
  stageSet(
    database: string,
    request: StreamedSetRequest,
    chunks: AsyncIterable<Buffer>,
  ): Promise<string | null>;
  /**
   * Starts an import, or finds the import with that id. Throws `import/conflict` if that import has another
   * path or mode.
   */
  create(database: string, id: string, request: ImportRequest): Promise<ImportState>;
  /** Returns the state of an import. Throws `import/unknown` if the import does not exist or no longer exists. */
  read(database: string, id: string): Promise<ImportState>;
  /**
   * Takes bytes of the source from `offset` on, which must be the current offset of the import: otherwise
   * throws an `ImportConflict`. Bytes already taken stay if the source is interrupted. `isLast` states that the
   * source ends with these bytes.
   */
  append(database: string, id: string, source: ImportedBytes): Promise<ImportState>;
  /** Marks the source as complete. Resolves once the import is done or has failed. May be called again. */
  finish(database: string, id: string): Promise<ImportState>;
  /** Cancels an open import, or removes one that is over. Children that a merge has already written stay. */
  remove(database: string, id: string): Promise<void>;
}

export interface ImportedBytes {
  readonly offset: number;
  readonly chunks: AsyncIterable<Buffer>;
  readonly isLast: boolean;
}
