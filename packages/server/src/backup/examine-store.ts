import { join } from 'node:path';
import { checkPages } from '../kv/lmdb-pages.ts';
import { LmdbReader } from '../kv/lmdb-reader.ts';
import { checkContent } from './check-content.ts';
import { checkSecretKey } from './check-secret-key.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** What to do when a store cannot be read. */
export const RESTORE_ADVICE = 'Restore a backup: hearth restore <backup> --data <directory>';

/**
 * Reads all of the store in a directory and tells what is found. Yields from time to time, with the share that is done. LMDB may
 * end the process when the file is damaged in its middle.
 */
export function* examineStore(path: string): Generator<number, readonly Finding[]> {
  try {
    using reader = new LmdbReader(path);
    const pages = yield* findPages(path);
    if (pages.verdict === 'problem') return [pages];
    return [pages, ...(yield* checkContent(reader)), checkSecretKey(reader, path)];
  } catch (cause) {
    return [problem('store', `The data file cannot be read: ${String(cause)}. ${RESTORE_ADVICE}`)];
  }
}

/** What the file's pages are for. While another process writes, somebody must be reading what the file held before. */
function* findPages(path: string): Generator<number, Finding> {
  const steps = checkPages(join(path, 'data.mdb'));
  for (;;) {
    const step = steps.next();
    if (step.done !== true) {
      yield 0;
      continue;
    }
    const { pages, freePages, lostPages, problems } = step.value;
    if (problems.length > 0)
      return problem('pages', `The data file is damaged: ${problems.join('; ')}. ${RESTORE_ADVICE}`);
    if (lostPages > 0)
      return warning(
        'pages',
        `${lostPages} of ${pages} pages of the data file are neither used nor free. To have their room back: hearth backup and hearth restore.`,
      );
    return ok('pages', `Each of the ${pages} pages of the data file is used once, or free (${freePages}).`);
  }
}
