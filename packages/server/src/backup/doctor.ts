import { fork } from 'node:child_process';
import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { findDataDirectory, isDataDirectoryInUse } from '../platform/data-directory.ts';
import { findFileDamage } from '../storage/kv/lmdb-file.ts';
import { RESTORE_ADVICE } from './examine-store.ts';
import { type Finding, formatBytes, ok, problem, warning } from './report.ts';

/** Thresholds of free space below which the check warns: in bytes, and as a share of the file. */
const LITTLE_BYTES = 256 * 2 ** 20;
const LITTLE_SHARE = 0.1;

/** Checks a data directory as far as possible without opening its store. */
function checkDirectory(path: string): readonly Finding[] {
  const permissions = checkPermissions(path);
  if (permissions.verdict === 'problem') return [permissions];
  return [permissions, ...checkPrivacy(path), checkLock(path), checkSpace(path), checkFile(path)];
}

function checkPermissions(path: string): Finding {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return problem(
      'permissions',
      `This user cannot read and write ${path}, so a server cannot start as this user. Change the owner, or run the server as the owner.`,
    );
  }
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) === 0) return ok('permissions', 'Only the owner has access.');
  return warning(
    'permissions',
    `Other users of this machine can read the directory (mode ${mode.toString(8)}). To make it private: chmod 700 ${path}`,
  );
}

/** Returns a warning if other users can read the data file. Copying the file may have changed its permissions. */
function checkPrivacy(path: string): readonly Finding[] {
  const file = join(path, 'data.mdb');
  const mode = (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
  if ((mode & 0o077) === 0) return [];
  return [
    warning(
      'permissions',
      `Other users can access the data file (mode ${mode.toString(8)}). To make it private: chmod 600 ${file}`,
    ),
  ];
}

function checkLock(path: string): Finding {
  return isDataDirectoryInUse(path)
    ? ok('lock', 'A process uses the data directory.')
    : ok('lock', 'No process uses the data directory.');
}

function checkSpace(path: string): Finding {
  const { bavail, bsize } = statfsSync(path);
  const freeBytes = bavail * bsize;
  const fileBytes = statSync(join(path, 'data.mdb'), { throwIfNoEntry: false })?.size ?? 0;
  const sizes = `The disk has ${formatBytes(freeBytes)} free; the data file has ${formatBytes(fileBytes)}.`;
  return freeBytes < Math.max(LITTLE_BYTES, LITTLE_SHARE * fileBytes)
    ? warning('space', `${sizes} Free disk space: on a full disk, the server rejects writes.`)
    : ok('space', sizes);
}

function checkFile(path: string): Finding {
  const file = join(path, 'data.mdb');
  if (statSync(file, { throwIfNoEntry: false })?.size === 0)
    return problem(
      'file',
      `The data file is empty: a server would start without any data. If there was data, remove ${file} and restore a backup into another directory: hearth restore <backup> --data <directory>`,
    );
  const damage = findFileDamage(file);
  return damage === undefined
    ? ok('file', 'The data file is complete.')
    : problem('file', `The data file ${damage}. ${RESTORE_ADVICE}`);
}

/** The messages of the process that examines a store. */
export type ExamineMessage =
  | { readonly kind: 'share'; readonly done: number }
  | { readonly kind: 'findings'; readonly findings: readonly Finding[] };

/**
 * Examines a store in a separate process, because LMDB ends the process when it finds some kinds of damage.
 * Rejects if `signal` is aborted or the process cannot be started.
 */
function examineInProcess(
  path: string,
  signal: AbortSignal,
  onShare: (done: number) => void,
): Promise<readonly Finding[]> {
  return new Promise((resolve, reject) => {
    const program = new URL(`examine-process${extname(import.meta.filename)}`, import.meta.url);
    const child = fork(program, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    let findings: readonly Finding[] | undefined;
    const abort = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', abort);
    child.on('message', (message: ExamineMessage) => {
      if (message.kind === 'share') onShare(message.done);
      else findings = message.findings;
    });
    child.once('error', reject);
    child.once('exit', (code, exitSignal) => {
      signal.removeEventListener('abort', abort);
      if (signal.aborted) reject(signal.reason);
      else resolve(findings ?? [problem('store', describeEnd(exitSignal ?? `exit code ${code}`))]);
    });
    child.send(path);
  });
}

function describeEnd(end: string): string {
  return `The data file is damaged: the process that read it crashed (${end}). ${RESTORE_ADVICE}`;
}

/**
 * Checks a data directory and changes nothing. Examines the store only if the directory itself has no problem. A server
 * may keep using the directory. Rejects with a `StartFailure` if the directory is not a data directory of Hearth, and
 * with the reason of the abort if `signal` is aborted.
 */
export async function examine(
  name: string,
  signal: AbortSignal,
  onShare: (done: number) => void,
): Promise<readonly Finding[]> {
  const path = findDataDirectory(name);
  const marker = ok('marker', `${path} is a Hearth data directory.`);
  const before = [marker, ...checkDirectory(path)];
  if (before.some(({ verdict: result }) => result === 'problem')) return before;
  if (statSync(join(path, 'data.mdb'), { throwIfNoEntry: false }) === undefined)
    return [...before, ok('data', 'No data has been stored yet.')];
  return [...before, ...(await examineInProcess(path, signal, onShare))];
}
