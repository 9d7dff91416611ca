import { existsSync } from 'node:fs';
import { secretKeyPath } from '../ops/secret-key-path.ts';

/** Tells who made a backup of a data directory what is not in it. */
export function keyNoticeOfBackup(data: string): string {
  const path = secretKeyPath(data);
  const key = existsSync(path) ? path : 'the file of --key-file, or HEARTH_SECRET_KEY';
  return `The key of secrets is not in the copy: keep it (${key}) apart from the copy, and put it back after a restore.\n`;
}

/** Tells who restored a data directory what it lacks. */
export function keyNoticeOfRestore(data: string): string {
  return `The key of secrets is in no backup: put it back to ${secretKeyPath(data)}, unless --key-file or HEARTH_SECRET_KEY names it, before a server starts.\n`;
}
