import { chmodSync, constants, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  ensureDirectory,
  findEnclosingDirectory,
  isMarked,
  markDataDirectory,
  syncPath,
  UNFINISHED_MARKER,
} from '../platform/data-directory.ts';
import { CommandFailure, StartFailure } from '../platform/failures.ts';
import { hashFile, type Manifest, readBack, readManifest } from './manifest.ts';
import type { Watcher } from './report.ts';

/**
 * Name of the directory for an unfinished restore. It is inside the data directory, which may be the root of a
 * volume. A data directory that contains this directory but not the marker is incomplete.
 */
const UNFINISHED = 'restore.unfinished';

const DATA_FILE = 'data.mdb';

/**
 * Files that an empty data directory may contain: the remains of an interrupted restore, and a directory that
 * Linux creates in a new volume.
 */
const IGNORED: ReadonlySet<string> = new Set([UNFINISHED, 'lost+found']);

/** Files that a restore leaves in addition if it is interrupted at the very end. */
const LEFT_AT_THE_END: readonly string[] = [DATA_FILE, UNFINISHED_MARKER];

/**
 * Creates a data directory from a backup. Verifies the whole backup first, and the new data afterwards. Rejects
 * with a `StartFailure`, a `CommandFailure` or the reason of the abort, and then leaves at most an empty directory.
 */
export async function restore(backup: string, data: string, watcher: Watcher): Promise<Manifest> {
  const from = resolve(backup);
  const to = resolve(data);
  const manifest = readManifest(from);
  removeInterrupted(to);
  requireEmpty(to);
  watcher.stage('Verifying the backup');
  await assertAsWritten(
    join(from, DATA_FILE),
    manifest,
    'The backup has changed since it was written',
    watcher,
  );
  const unfinished = join(to, UNFINISHED);
  try {
    rmSync(unfinished, { recursive: true, force: true });
    ensureDirectory(unfinished, 0o700);
    const file = join(unfinished, DATA_FILE);
    watcher.stage('Copying');
    await copyFile(join(from, DATA_FILE), file, constants.COPYFILE_FICLONE);
    // Other users may be able to read the backup.
    chmodSync(file, 0o600);
    syncPath(file);
    watcher.stage('Verifying the copy');
    await assertAsWritten(file, manifest, 'The copy differs from the backup', watcher);
    const databases = await watcher.drive(readBack(unfinished));
    if (JSON.stringify(databases) !== JSON.stringify(manifest.databases))
      throw new CommandFailure('The databases in the copy differ from those that were backed up.');
    renameSync(file, join(to, DATA_FILE));
    markDataDirectory(to);
    return manifest;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function removeInterrupted(to: string): void {
  if (!existsSync(join(to, UNFINISHED)) || isMarked(to)) return;
  if (readdirSync(to).every((name) => IGNORED.has(name) || LEFT_AT_THE_END.includes(name)))
    for (const name of LEFT_AT_THE_END) rmSync(join(to, name), { force: true });
}

function requireEmpty(to: string): void {
  const enclosing = findEnclosingDirectory(to);
  if (enclosing !== undefined)
    throw new StartFailure(
      `${to} is inside ${enclosing}, which contains Hearth data. Name a directory elsewhere with --data.`,
    );
  const found = statSync(to, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isDirectory() && readdirSync(to).every((name) => IGNORED.has(name))) return;
  throw new StartFailure(`${to} is not empty. Name a new directory with --data. Nothing was overwritten.`);
}

async function assertAsWritten(
  file: string,
  manifest: Manifest,
  complaint: string,
  { onBytes, signal }: Watcher,
): Promise<void> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new CommandFailure('The backup has no data.mdb and is incomplete.');
  const { sha256, bytes } = await hashFile(file, (done, total) => {
    signal.throwIfAborted();
    onBytes(done, total);
  });
  if (sha256 !== manifest.sha256 || bytes !== manifest.bytes)
    throw new CommandFailure(`${complaint}: its data file has ${bytes} bytes and the SHA-256 ${sha256}.`);
}
