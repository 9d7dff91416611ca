import { resolve } from 'node:path';
import { formatBytes } from '../backup/format-bytes.ts';
import { restore } from '../backup/restore.ts';
import { RESTORE_OPTIONS } from '../ops/command-options.ts';
import { type FlagsOf, readOption } from '../ops/option.ts';
import { keyNoticeOfRestore } from './key-notice.ts';
import { watchWork } from './watch-work.ts';

/** `hearth restore`: makes a data directory out of a backup. Rejects with a sentence when it cannot. */
export async function runRestore(flags: FlagsOf<typeof RESTORE_OPTIONS>, backup: string): Promise<void> {
  const data = readOption(RESTORE_OPTIONS.data, flags.data);
  const { bytes, databases } = await watchWork((watcher) => restore(backup, data, watcher));
  process.stdout.write(
    `Restored ${databases.length} ${databases.length === 1 ? 'database' : 'databases'} (${formatBytes(bytes)}) to ${resolve(data)}, and read all of it back.\n${keyNoticeOfRestore(data)}`,
  );
}
