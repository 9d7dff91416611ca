import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { backUp } from '../backup/back-up.ts';
import { examine } from '../backup/doctor.ts';
import { type Finding, formatBytes } from '../backup/report.ts';
import { restore } from '../backup/restore.ts';
import { nowMs } from '../platform/clock.ts';
import { secretKeyPath } from '../platform/data-directory.ts';
import { type FlagsOf, readOption } from '../platform/option.ts';
import { BACKUP_OPTIONS, DOCTOR_OPTIONS, RESTORE_OPTIONS } from './options.ts';
import { runWithProgress } from './progress.ts';
import { plural } from './rules/terminal.ts';

/** Returns a notice for the operator about what a backup of a data directory does not contain. */
export function backupKeyNotice(data: string): string {
  const path = secretKeyPath(data);
  const key = existsSync(path) ? path : 'the file that --key-file names, or the value of HEARTH_SECRET_KEY';
  return `The copy does not contain the secret key. Store the key (${key}) separately from the copy, and put it back after a restore.\n`;
}

/** Returns a notice for the operator about what a restored data directory lacks. */
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

/**
 * Runs `hearth doctor`: prints the findings about a data directory. The exit code is 1 if there are problems.
 * Rejects with a `StartFailure` if the directory is not a Hearth data directory.
 */
export async function runDoctor(flags: FlagsOf<typeof DOCTOR_OPTIONS>): Promise<void> {
  const data = readOption(DOCTOR_OPTIONS.data, flags.data);
  const findings = await runWithProgress(({ signal, stage, onShare }) => {
    stage('Checking');
    return examine(data, signal, onShare);
  });
  const isSound = findings.every(({ verdict: result }) => result !== 'problem');
  process.stdout.write(
    readOption(DOCTOR_OPTIONS.json, flags.json)
      ? `${JSON.stringify({ sound: isSound, findings }, null, 2)}\n`
      : formatFindings(findings),
  );
  if (!isSound) process.exitCode = 1;
}

/** Returns one line for each finding, then a summary line. */
function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.map(
    ({ verdict: result, check, message }) => `${result.padEnd(7)}  ${check.padEnd(width)}  ${message}\n`,
  );
  return `${lines.join('')}\n${summary(findings)}\n`;
}

function summary(findings: readonly Finding[]): string {
  const problems = findings.filter(({ verdict: result }) => result === 'problem').length;
  const warnings = findings.filter(({ verdict: result }) => result === 'warning').length;
  if (problems > 0) return `Found ${plural(problems, 'problem')} and ${plural(warnings, 'warning')}.`;
  return warnings === 0 ? 'No problems found.' : `No problems found, but ${plural(warnings, 'warning')}.`;
}
