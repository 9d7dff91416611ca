import { RequestError } from '@hearth/core/error/request-error.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { ADMIN } from '../../access/principal.ts';
import type { NodeId } from '../../storage/kv/keys.ts';
import { type KvRead, prefixRange } from '../../storage/kv/store.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { Difference } from '../../storage/tree/compare.ts';
import type { Database } from '../database/database.ts';
import { CompareSource, type CompareState } from './compare.ts';
import { DeepMergeSource, type DeepMergeState } from './deep-merge.ts';
import {
  type ImportCounts,
  type ImportFailure,
  type ImportMode,
  type ImportRequest,
  type ImportSourceOptions,
  type ImportState,
  type WritingMode,
  writeUnrecorded,
} from './import.ts';
import { MergeSource, type MergeState } from './merge.ts';
import { ReplaceSource, type ReplaceState } from './replace.ts';

export type OpenImportSource = ReplaceSource | MergeSource | DeepMergeSource | CompareSource;

export type ImportSourceState = ReplaceState | MergeState | DeepMergeState | CompareState;

/** Opens the import source of a new import. */
export function beginImportSource(
  { mode, previewOf = 'replace' }: Pick<ImportRequest, 'mode' | 'previewOf'>,
  options: ImportSourceOptions,
  transaction: WriteTransaction,
  database: Database,
): OpenImportSource {
  const indexes = { catalog: database.tree(transaction).indexCatalog(), later: [] };
  switch (mode) {
    case 'replace':
      return new ReplaceSource(options, { kind: 'replace', indexes, json: null });
    case 'merge':
      return new MergeSource(options, { kind: 'merge', indexes, scan: null });
    case 'deep-merge':
      return new DeepMergeSource(options, {
        kind: 'deep-merge',
        indexes,
        json: null,
        walk: null,
        takenBytes: 0,
      });
    case 'compare':
      return new CompareSource(options, {
        kind: 'compare',
        previewOf,
        json: null,
        dropped: null,
        walk: null,
      });
    default:
      return mode satisfies never;
  }
}

/** Resumes an import source from its saved state. */
export function resumeImportSource(options: ImportSourceOptions, state: ImportSourceState): OpenImportSource {
  switch (state.kind) {
    case 'replace':
      return new ReplaceSource(options, state);
    case 'merge':
      return new MergeSource(options, state);
    case 'deep-merge':
      return new DeepMergeSource(options, state);
    case 'compare':
      return new CompareSource(options, state);
    default:
      return state satisfies never;
  }
}

/**
 * An import as it is stored, as UTF-8 JSON in the table `meta`. Imports that can be resumed are under
 * `import/<database>/<id>`. Streamed writes are under `staged/<database>/<number>`. If a process ends before they are
 * complete, the next process cancels them.
 * Version history: 1, the first.
 */
export interface ImportRecord {
  readonly v: 1;
  readonly path: string;
  readonly mode: ImportMode;
  /** The time that timestamp placeholders in the source resolve to. */
  readonly startedMs: number;
  readonly touchedMs: number;
  readonly status: 'open' | 'done' | 'failed';
  readonly offset: number;
  readonly crc32: number;
  readonly counts: ImportCounts;
  /** Present for a comparison. */
  readonly previewOf?: WritingMode;
  /** Present for a complete comparison. */
  readonly differences?: readonly Difference[];
  readonly failure: ImportFailure | null;
  /** The administrator who can undo the import; absent if it cannot be undone. */
  readonly undoableBy?: string;
  /** The change that records the nodes that the import has replaced. */
  readonly change?: { readonly database: string; readonly id: number };
  /** State of the import while it is open. */
  readonly intake: ImportSourceState | null;
}

export const STAGED_PREFIX = Buffer.from('staged/');

export function stagedKey(database: string, number: number): Buffer {
  return Buffer.from(`staged/${database}/${number}`, 'latin1');
}

export function stagedNumber(key: Buffer): number {
  return Number(key.toString('latin1').split('/').at(-1));
}

export function importKey(database: string, id: string): Buffer {
  return Buffer.from(`import/${database}/${id}`, 'latin1');
}

export function encodeImport(record: ImportRecord): string {
  return JSON.stringify(record);
}

/** Decodes a stored import. Trusts the shape of the text, because the program wrote it, but not its version. */
export function decodeImport(text: string): ImportRecord {
  const record: ImportRecord = JSON.parse(text);
  if (record.v !== 1) throw new Error('The import was started by a newer version of Hearth.');
  return record;
}

/** An import that was started and has not ended. */
export interface UnfinishedImport {
  /** `<database>/<id>` for an import, `<database>/<number>` for a streamed write. */
  readonly name: string;
  readonly record: ImportRecord;
  /** Nodes that the import has created and that nothing references yet. */
  readonly unreferenced: readonly NodeId[];
}

/** Prefixes of the keys of imports and streamed writes. */
const PREFIXES = [Buffer.from('import/'), STAGED_PREFIX];

/** Throws if an import was started by a newer version of the program. */
export function readUnfinishedImports(tx: KvRead): readonly UnfinishedImport[] {
  const found: UnfinishedImport[] = [];
  for (const prefix of PREFIXES)
    for (const { key, value } of tx.scan('meta', prefixRange(prefix))) {
      const record = decodeImport(value.toString());
      if (record.intake === null) continue;
      const options = {
        operation: 'PUT' as const,
        identity: ADMIN,
        areTriggersDisabled: true,
        path: parsePath(record.path),
        timeMs: record.startedMs,
        recordWrites: writeUnrecorded,
      };
      const { unreferenced } = resumeImportSource(options, record.intake);
      found.push({ name: key.toString('latin1', prefix.length), record, unreferenced });
    }
  return found;
}

/** Yields the imports of a database with their ids. */
function* readImports(tx: KvRead, database: string): Generator<readonly [string, ImportRecord]> {
  const prefix = importKey(database, '');
  for (const { key, value } of tx.scan('meta', prefixRange(prefix)))
    yield [key.toString('latin1', prefix.length), decodeImport(value.toString())];
}

/** Returns the state of an import as the client receives it. */
export function importState(id: string, record: ImportRecord): ImportState {
  const { path, mode, status, offset, crc32, counts, previewOf, differences, failure, change } = record;
  return {
    id,
    path: `/${path}`,
    mode,
    status,
    offset,
    crc32,
    counts,
    ...(previewOf === undefined ? {} : { previewOf }),
    ...(differences === undefined ? {} : { differences }),
    ...(change === undefined ? {} : { change: change.id }),
    ...(failure === null ? {} : { error: failure.sentence }),
    ...(failure?.position === undefined ? {} : { position: failure.position }),
  };
}

/** Maximum number of open imports of a database. */
export const MAX_OPEN_IMPORTS = 20;
/** Maximum number of ended imports of a database whose records are kept. */
export const MAX_OVER_IMPORTS = 100;
/** Time after which an idle open import is canceled when the next import starts: 7 days. */
const MAX_IDLE_MS = 7 * 24 * 3_600_000;

/**
 * Returns the ids of the imports to cancel or remove before another one starts. Throws `import/too-many` if
 * there would be too many open imports.
 */
export function makeRoomForImport(tx: KvRead, database: string, nowMs: number): readonly string[] {
  const open: string[] = [];
  const idle: string[] = [];
  const over: (readonly [string, ImportRecord])[] = [];
  for (const [id, record] of readImports(tx, database)) {
    if (record.status !== 'open') over.push([id, record]);
    else if (nowMs - record.touchedMs > MAX_IDLE_MS) idle.push(id);
    else open.push(id);
  }
  if (open.length >= MAX_OPEN_IMPORTS)
    throw new RequestError(
      'import/too-many',
      `${open.length} imports of this database are open (${open.slice(0, 3).join(', ')} …). Finish one, or cancel one with DELETE.`,
    );
  over.sort(([, a], [, b]) => b.touchedMs - a.touchedMs);
  return [...idle, ...over.slice(MAX_OVER_IMPORTS - 1).map(([id]) => id)];
}
