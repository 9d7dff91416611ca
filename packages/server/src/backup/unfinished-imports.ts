import { parsePath } from '@hearth/core/tree/path.ts';
import { decodeImport, type ImportRecord, STAGED_PREFIX } from '../database/import/import-record.ts';
import { resumeIntake } from '../database/import/intakes.ts';
import { ADMIN } from '../identity/identity.ts';
import type { NodeId } from '../kv/keys.ts';
import { type KvRead, prefixRange } from '../kv/store.ts';

/** An import that was begun and is not over. */
export interface UnfinishedImport {
  /** `<database>/<id>`, or `<database>/<number>` for a write whose client waits for it. */
  readonly name: string;
  readonly record: ImportRecord;
  /** Nodes that it has made so far and that nothing refers to yet. */
  readonly loose: readonly NodeId[];
}

const PREFIXES = [Buffer.from('import/'), STAGED_PREFIX];

/** Throws when one was begun by a newer version. */
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
      };
      const { loose } = resumeIntake(options, record.intake);
      found.push({ name: key.toString('latin1', prefix.length), record, loose });
    }
  return found;
}
