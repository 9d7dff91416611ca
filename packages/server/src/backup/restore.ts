import { constants, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CommandFailure } from '../ops/command-failure.ts';
import { markDataDirectory } from '../ops/data-directory.ts';
import { StartFailure } from '../ops/start-failure.ts';
import { hashFile } from './file-hash.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { readBack } from './read-back.ts';
import { syncPath } from './sync-path.ts';
import type { Watcher } from './watcher.ts';

/** Inside the data directory, which may be the root of a volume. No server starts as long as it is there. */
const UNFINISHED = 'restore.unfinished';

/** What an empty data directory may hold: what an interrupted restore left, and what Linux puts into a fresh volume. */
const IGNORED: ReadonlySet<string> = new Set([UNFINISHED, 'lost+found']);

/**
 * Makes a data directory out of a backup, which is read as a whole first, and reads what it has made. Rejects with a
 * `StartFailure` or `CommandFailure`, and leaves at most an empty
 * directory behind then.
 */
export async function restore(backup: string, data: string, watcher: Watcher): Promise<Manifest> {
  const from = resolve(backup);
  const to = resolve(data);
  const manifest = readManifest(from);
  mustBeEmpty(to);
  watcher.stage('Verifying the backup');
  await mustBeAsWritten(
    join(from, 'data.mdb'),
    manifest,
    'The backup has changed since it was written',
    watcher,
  );
  const unfinished = join(to, UNFINISHED);
  try {
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true, mode: 0o700 });
    const file = join(unfinished, 'data.mdb');
    watcher.stage('Copying');
    await copyFile(join(from, 'data.mdb'), file, constants.COPYFILE_FICLONE);
    syncPath(file);
    watcher.stage('Verifying the copy');
    await mustBeAsWritten(file, manifest, 'The copy differs from the backup', watcher);
    const databases = await watcher.drive(readBack(unfinished));
    if (JSON.stringify(databases) !== JSON.stringify(manifest.databases))
      throw new CommandFailure('The databases in the copy differ from those that were backed up.');
    renameSync(file, join(to, 'data.mdb'));
    markDataDirectory(to);
    return manifest;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function mustBeEmpty(to: string): void {
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
  if (statSync(file, { throwIfNoEntry: false }) === undefined)
    throw new CommandFailure('The backup has no data.mdb: it is not whole.');
  const { sha256, bytes } = await hashFile(file, (done, total) => {
    signal.throwIfAborted();
    onBytes(done, total);
  });
  if (sha256 !== manifest.sha256 || bytes !== manifest.bytes)
    throw new CommandFailure(`${complaint}: its data file has ${bytes} bytes and the SHA-256 ${sha256}.`);
}
