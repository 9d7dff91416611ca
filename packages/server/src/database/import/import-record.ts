import { type KvRead, prefixRange } from '../../kv/store.ts';
import type { ImportCounts, ImportFailure, ImportMode, ImportState } from './import-state.ts';
import type { IntakeState } from './intakes.ts';

/**
 * An import as it is stored, in UTF-8 JSON, in the table `meta`: under `import/<database>/<id>` those that can be resumed, under
 * `staged/<database>/<number>` writes whose client waits for them, which end with the process.
 * Version history: 1, the first.
 */
export interface ImportRecord {
  readonly v: 1;
  readonly path: string;
  readonly mode: ImportMode;
  /** What timestamps in the source stand for. */
  readonly startedMs: number;
  readonly touchedMs: number;
  readonly status: 'open' | 'done' | 'failed';
  readonly offset: number;
  readonly crc32: number;
  readonly counts: ImportCounts;
  readonly failure: ImportFailure | null;
  /** Where taking in stands, as long as the import is open. */
  readonly intake: IntakeState | null;
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

/** Texts come from this program's own store, so their shape is trusted; their version is not. */
export function decodeImport(text: string): ImportRecord {
  const record: ImportRecord = JSON.parse(text);
  if (record.v !== 1) throw new Error('An import was begun by a newer version.');
  return record;
}

/** The imports of a database, with their ids. */
export function* readImports(tx: KvRead, database: string): Generator<readonly [string, ImportRecord]> {
  const prefix = importKey(database, '');
  for (const { key, value } of tx.scan('meta', prefixRange(prefix)))
    yield [key.toString('latin1', prefix.length), decodeImport(value.toString())];
}

/** What a client is told of an import. */
export function importState(id: string, record: ImportRecord): ImportState {
  const { path, mode, status, offset, crc32, counts, failure } = record;
  return {
    id,
    path: `/${path}`,
    mode,
    status,
    offset,
    crc32,
    counts,
    ...(failure === null ? {} : { error: failure.sentence }),
    ...(failure?.position === undefined ? {} : { position: failure.position }),
  };
}
