import { chmodSync, constants, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CommandFailure } from '../ops/command-failure.ts';
import {
  findEnclosingDirectory,
  isMarked,
  markDataDirectory,
  UNFINISHED_MARKER,
} from '../ops/data-directory.ts';
import { ensureDirectory } from '../ops/ensure-directory.ts';
import { StartFailure } from '../ops/start-failure.ts';
import { syncPath } from '../ops/sync-path.ts';
import { hashFile } from './file-hash.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { readBack } from './read-back.ts';
import type { Watcher } from './watcher.ts';

/** Inside the data directory, which may be the root of a volume. A directory with it and without the marker is not whole. */
const UNFINISHED = 'restore.unfinished';

const DATA_FILE = 'data.mdb';

/** What an empty data directory may hold: what an interrupted restore left, and what Linux puts into a fresh volume. */
const IGNORED: ReadonlySet<string> = new Set([UNFINISHED, 'lost+found']);

/** What a restore that was interrupted at its very end leaves beside them. */
const LEFT_AT_THE_END: readonly string[] = [DATA_FILE, UNFINISHED_MARKER];

/**
 * Makes a data directory out of a backup, which is read as a whole first, and reads what it has made. Rejects with a
 * `StartFailure` or `CommandFailure`, and leaves at most an empty
 * directory behind then.
 */
export async function restore(backup: string, data: string, watcher: Watcher): Promise<Manifest> {
  const from = resolve(backup);
  const to = resolve(data);
  const manifest = readManifest(from);
  removeInterrupted(to);
  mustBeEmpty(to);
  watcher.stage('Verifying the backup');
  await mustBeAsWritten(
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
    // The backup may be one that others may read.
    chmodSync(file, 0o600);
    syncPath(file);
    watcher.stage('Verifying the copy');
    await mustBeAsWritten(file, manifest, 'The copy differs from the backup', watcher);
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

function mustBeEmpty(to: string): void {
  const enclosing = findEnclosingDirectory(to);
  if (enclosing !== undefined)
    throw new StartFailure(
      `${to} is inside of ${enclosing}, which holds data of Hearth: name a directory elsewhere with --data.`,
    );
  const found = statSync(to, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isDirectory() && readdirSync(to).every((name) => IGNORED.has(name))) return;
  throw new StartFailure(`${to} is not empty: name a new directory with --data. Nothing is overwritten.`);
}

async function mustBeAsWritten(
  file: string,
  manifest: Manifest,
  complaint: string,
  { onBytes, signal }: Watcher,
): Promise<void> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new CommandFailure('The backup has no data.mdb: it is not whole.');
  const { sha256, bytes } = await hashFile(file, (done, total) => {
    signal.throwIfAborted();
    onBytes(done, total);
  });
  if (sha256 !== manifest.sha256 || bytes !== manifest.bytes)
    throw new CommandFailure(`${complaint}: its data file has ${bytes} bytes and the SHA-256 ${sha256}.`);
}
