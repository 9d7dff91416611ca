import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { KvRead } from '../../kv/store.ts';
import { type ImportRecord, readImports } from './import-record.ts';

/** Most imports of a database that are open at a time. */
export const MAX_OPEN_IMPORTS = 20;
/** Most imports of a database that are over and remembered. */
export const MAX_OVER_IMPORTS = 100;
/** An open import that nobody has gone on with for so long is given up when the next one begins: 7 days. */
const MAX_IDLE_MS = 7 * 24 * 3_600_000;

/**
 * Ids of the imports to be given up or forgotten before another one begins. Refuses with `import/too-many` when there would
 * be too many open ones.
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
    throw new Refusal(
      'import/too-many',
      `${open.length} imports of this database are open (${open.slice(0, 3).join(', ')} …): finish one, or give one up with DELETE.`,
    );
  over.sort(([, a], [, b]) => b.touchedMs - a.touchedMs);
  return [...idle, ...over.slice(MAX_OVER_IMPORTS - 1).map(([id]) => id)];
}
