import { resolve } from 'node:path';
import { backUp } from '../backup/back-up.ts';
import { formatBytes } from '../backup/format-bytes.ts';
import { nowMs } from '../ops/clock.ts';
import { BACKUP_OPTIONS } from '../ops/command-options.ts';
import { type FlagsOf, readOption } from '../ops/option.ts';
import { keyNoticeOfBackup } from './key-notice.ts';
import { watchWork } from './watch-work.ts';

/** `hearth backup`: copies a data directory, also while a server uses it. Rejects with a sentence when it cannot. */
export async function runBackup(flags: FlagsOf<typeof BACKUP_OPTIONS>, destination: string): Promise<void> {
  const data = readOption(BACKUP_OPTIONS.data, flags.data);
  const { bytes, databases } = await watchWork((watcher) => backUp(data, destination, nowMs(), watcher));
  process.stdout.write(
    `Backed up ${databases.length} ${databases.length === 1 ? 'database' : 'databases'} (${formatBytes(bytes)}) to ${resolve(destination)}, and read all of it back.\n${keyNoticeOfBackup(data)}`,
  );
}
