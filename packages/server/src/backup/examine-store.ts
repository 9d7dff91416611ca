import { LmdbReader } from '../kv/lmdb-reader.ts';
import { checkContent } from './check-content.ts';
import { checkSecretKey } from './check-secret-key.ts';
import { type Finding, problem } from './finding.ts';

/** What to do when a store cannot be read. */
export const RESTORE_ADVICE = 'Restore a backup: hearth restore <backup> --data <directory>';

/**
 * Reads all of the store in a directory and tells what is found. Yields from time to time, with the share that is done. LMDB may
 * end the process when the file is damaged in its middle.
 */
export function* examineStore(path: string): Generator<number, readonly Finding[]> {
  try {
    using reader = new LmdbReader(path);
    return [...(yield* checkContent(reader)), checkSecretKey(reader, path)];
  } catch (cause) {
    return [problem('store', `The data file cannot be read: ${String(cause)}. ${RESTORE_ADVICE}`)];
  }
}
