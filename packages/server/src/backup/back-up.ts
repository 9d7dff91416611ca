import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  ensureDirectory,
  findDataDirectory,
  findEnclosingDirectory,
  markDataDirectory,
  syncPath,
} from '../platform/data-directory.ts';
import { CommandFailure, StartFailure } from '../platform/failures.ts';
import { findFileDamage } from '../storage/kv/lmdb-file.ts';
import { LmdbReader } from '../storage/kv/lmdb-reader.ts';
import { hashFile, type Manifest, readBack, writeManifest } from './manifest.ts';
import type { Watcher } from './report.ts';

const POLL_MS = 100;

/**
 * Copies the store of a data directory to a new directory, verifies the copy, and returns its manifest. A server may
 * keep using the data directory. The copy is one consistent state of the store: it contains each commit either
 * completely or not at all. The new directory gets its final name once everything is on disk. Rejects with a
 * `StartFailure`, a `CommandFailure` or the reason of the abort, and then removes the copy.
 */
export async function backUp(
  source: string,
  destination: string,
  nowMs: number,
  watcher: Watcher,
): Promise<Manifest> {
  const from = findDataDirectory(source);
  const to = resolve(destination);
  requireDataFile(from);
  requireFree(to);
  const unfinished = createUnfinished(to);
  try {
    await copyStore(from, unfinished, watcher);
    watcher.stage('Verifying');
    const databases = await watcher.drive(readBack(unfinished));
    const { sha256, bytes } = await hashFile(join(unfinished, 'data.mdb'), watcher.onBytes);
    watcher.signal.throwIfAborted();
    const manifest: Manifest = {
      product: 'hearth-backup',
      format: 1,
      takenAtMs: nowMs,
      bytes,
      sha256,
      databases,
    };
    writeManifest(unfinished, manifest);
    markDataDirectory(unfinished);
    renameSync(unfinished, to);
    syncPath(dirname(to));
    return manifest;
  } catch (cause) {
    rmSync(unfinished, { recursive: true, force: true });
    throw cause;
  }
}

async function copyStore(from: string, to: string, { signal, stage, onBytes }: Watcher): Promise<void> {
  stage('Copying');
  const file = join(to, 'data.mdb');
  const reader = new LmdbReader(from);
  let isCopied = false;
  const copied = reader.copyTo(to).finally(() => {
    isCopied = true;
  });
  try {
    while (!isCopied) {
      signal.throwIfAborted();
      await Promise.race([copied, setTimeout(POLL_MS, undefined, { ref: false })]);
      onBytes(statSync(file, { throwIfNoEntry: false })?.size ?? 0, reader.sizeBytes());
    }
    await copied;
  } finally {
    // The copying thread cannot be stopped. If it still runs, the reader stays open until the process ends.
    if (isCopied) reader[Symbol.dispose]();
  }
  // The copy has the default file permissions, and the directory may later be opened to other users.
  chmodSync(file, 0o600);
  syncPath(file);
}

function requireDataFile(from: string): void {
  const file = join(from, 'data.mdb');
  // A server that is killed during its first start may leave an empty file.
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0)
    throw new StartFailure(`The data directory ${from} contains no data yet. There is nothing to back up.`);
  const damage = findFileDamage(file);
  if (damage !== undefined)
    throw new CommandFailure(
      `The data file in ${from} is damaged: it ${damage}. See: hearth doctor --data ${from}`,
    );
}

function requireFree(to: string): void {
  const enclosing = findEnclosingDirectory(to);
  if (enclosing !== undefined)
    throw new StartFailure(
      `${to} is inside ${enclosing}, which contains Hearth data. Name a directory elsewhere for the backup.`,
    );
  const found = statSync(to, { throwIfNoEntry: false });
  if (found === undefined || (found.isDirectory() && readdirSync(to).length === 0)) return;
  throw new StartFailure(`${to} already exists. Name a new directory for the backup.`);
}

function createUnfinished(to: string): string {
  const path = `${to}.unfinished`;
  try {
    ensureDirectory(dirname(to));
    mkdirSync(path, { mode: 0o700 });
    return path;
  } catch (cause) {
    throw new StartFailure(
      cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
        ? `${path} exists: another backup is being written there, or one was interrupted. Remove it if none is running.`
        : `The directory ${path} cannot be created: ${String(cause)}.`,
      cause,
    );
  }
}
