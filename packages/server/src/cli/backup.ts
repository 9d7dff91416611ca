import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { backUp } from '../backup/back-up.ts';
import { formatBytes } from '../backup/report.ts';
import { restore } from '../backup/restore.ts';
import { nowMs } from '../platform/clock.ts';
import { secretKeyPath } from '../platform/data-directory.ts';
import { type FlagsOf, readOption } from '../platform/option.ts';
import { BACKUP_OPTIONS, RESTORE_OPTIONS } from './options.ts';
import { runWithProgress } from './progress.ts';
import { plural } from './rules/terminal.ts';

/** Returns a notice for the operator about the files that a backup of a data directory does not contain. */
export function backupKeyNotice(data: string): string {
  const path = secretKeyPath(data);
  const key = existsSync(path) ? path : 'the file that --key-file names, or the value of HEARTH_SECRET_KEY';
  return `The copy does not contain the secret key. Store the key (${key}) separately from the copy, and put it back after a restore.\n`;
}

/** Returns a notice for the operator about the files that a restored data directory lacks. */
export function restoreKeyNotice(data: string): string {
  return `A backup does not contain the secret key. Before you start a server, copy the key to ${secretKeyPath(data)}, or name it with --key-file or HEARTH_SECRET_KEY.\n`;
}

/**
 * Runs `hearth backup`: copies a data directory, even while a server uses it. Rejects with an error whose
 * message is one sentence for the operator.
 */
export async function runBackup(flags: FlagsOf<typeof BACKUP_OPTIONS>, destination: string): Promise<void> {
  const data = readOption(BACKUP_OPTIONS.data, flags.data);
  const { bytes, databases } = await runWithProgress((watcher) =>
    backUp(data, destination, nowMs(), watcher),
  );
  process.stdout.write(
    `Backed up ${plural(databases.length, 'database')} (${formatBytes(bytes)}) to ${resolve(destination)}, and verified the copy.\n${backupKeyNotice(data)}`,
  );
}

/**
 * Runs `hearth restore`: creates a data directory from a backup. Rejects with an error whose message is one
 * sentence for the operator.
 */
export async function runRestore(flags: FlagsOf<typeof RESTORE_OPTIONS>, backup: string): Promise<void> {
  const data = readOption(RESTORE_OPTIONS.data, flags.data);
  const { bytes, databases } = await runWithProgress((watcher) => restore(backup, data, watcher));
  process.stdout.write(
    `Restored ${plural(databases.length, 'database')} (${formatBytes(bytes)}) to ${resolve(data)}, and verified the copy.\n${restoreKeyNotice(data)}`,
  );
}
