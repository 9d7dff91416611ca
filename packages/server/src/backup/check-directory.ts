import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findFileDamage } from '../kv/lmdb-file.ts';
import { isDataDirectoryInUse } from '../ops/data-directory.ts';
import { RESTORE_ADVICE } from './examine-store.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { formatBytes } from './format-bytes.ts';

/** Free space under which there is reason to worry, in bytes, and as a share of the file. */
const LITTLE_BYTES = 256 * 2 ** 20;
const LITTLE_SHARE = 0.1;

/** What can be seen of a data directory without opening its store. */
export function checkDirectory(path: string): readonly Finding[] {
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
      `This user may not read and write ${path}: a server that runs as this user does not start. Change the owner, or run as the owner.`,
    );
  }
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) === 0) return ok('permissions', 'Only the owner may look into it.');
  return warning(
    'permissions',
    `Other users of this machine may look into it (mode ${mode.toString(8)}). To make it private: chmod 700 ${path}`,
  );
}

/** The file is made for its owner alone; whatever has copied it may have made it otherwise. */
function checkPrivacy(path: string): readonly Finding[] {
  const file = join(path, 'data.mdb');
  const mode = (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
  if ((mode & 0o077) === 0) return [];
  return [
    warning(
      'permissions',
      `The data file is not for its owner alone (mode ${mode.toString(8)}). To make it private: chmod 600 ${file}`,
    ),
  ];
}

function checkLock(path: string): Finding {
  return isDataDirectoryInUse(path)
    ? ok('lock', 'A process serves from it.')
    : ok('lock', 'No process uses it.');
}

function checkSpace(path: string): Finding {
  const { bavail, bsize } = statfsSync(path);
  const freeBytes = bavail * bsize;
  const fileBytes = statSync(join(path, 'data.mdb'), { throwIfNoEntry: false })?.size ?? 0;
  const sizes = `The disk has ${formatBytes(freeBytes)} free; the data file has ${formatBytes(fileBytes)}.`;
  return freeBytes < Math.max(LITTLE_BYTES, LITTLE_SHARE * fileBytes)
    ? warning('space', `${sizes} Make room: on a full disk, writes are refused.`)
    : ok('space', sizes);
}

function checkFile(path: string): Finding {
  const file = join(path, 'data.mdb');
  if (statSync(file, { throwIfNoEntry: false })?.size === 0)
    return problem(
      'file',
      `The data file is empty: a server would start without any data. If there was any, remove ${file}, and restore a backup into another directory: hearth restore <backup> --data <directory>`,
    );
  const damage = findFileDamage(file);
  return damage === undefined
    ? ok('file', 'The data file is whole.')
    : problem('file', `The data file ${damage}. ${RESTORE_ADVICE}`);
}
