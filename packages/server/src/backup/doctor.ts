import { statSync } from 'node:fs';
import { join } from 'node:path';
import { findDataDirectory } from '../ops/data-directory.ts';
import { checkDirectory } from './check-directory.ts';
import { type Finding, ok } from './finding.ts';
import { examineInProcess } from './process-examination.ts';

/**
 * Looks at all of a data directory, beside the process that serves from it if there is one, and changes nothing. Rejects with a
 * `StartFailure` when the directory is none of Hearth's, or when it is aborted.
 */
export async function examine(
  name: string,
  signal: AbortSignal,
  onShare: (done: number) => void,
): Promise<readonly Finding[]> {
  const path = findDataDirectory(name);
  const marker = ok('marker', `${path} is a data directory of Hearth.`);
  const before = [marker, ...checkDirectory(path)];
  if (before.some(({ verdict }) => verdict === 'problem')) return before;
  if (statSync(join(path, 'data.mdb'), { throwIfNoEntry: false }) === undefined)
    return [...before, ok('data', 'Nothing has been stored yet.')];
  return [...before, ...(await examineInProcess(path, signal, onShare))];
}
