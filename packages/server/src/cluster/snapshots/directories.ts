import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { markDataDirectory, syncPath } from '../../platform/data-directory.ts';
import { readDiskStats } from '../../platform/process.ts';
import type { KvStore } from '../../storage/kv/store.ts';
import { revertUncommitted } from '../node/replicated-store.ts';
import type { CopyRequest } from './copy-process.ts';
import type { StoreCopy } from './keeper.ts';

/** Directories inside the data directory of a node, which may be the root of a volume. Both are temporary. */
const COPY = 'snapshot.unfinished';
const LOADED = 'loaded.unfinished';

const DATA_FILE = 'data.mdb';
const LOCK_FILE = 'lock.mdb';

/** Free space that a copy of the store must leave, as a share of the store. */
const RESERVE = 0.5;

/** Removes what a process has left behind that ended while it stored or loaded a snapshot. */
export async function removeUnfinished(directory: string): Promise<void> {
  for (const name of [COPY, LOADED]) await removeAll(join(directory, name));
}

/** Removes a directory with its files. In a thread, because the file system takes long for a large file. */
function removeAll(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true });
}

async function createEmpty(directory: string, name: string): Promise<string> {
  const path = join(directory, name);
  await removeAll(path);
  mkdirSync(path, { mode: 0o700 });
  return path;
}

/**
 * Copies the store of a directory while this process uses it, and reverts in the copy what is not committed. Another process
 * copies, because this one shares its transactions among all readers. Rejects if the disk has too
 * little space or `signal` is aborted.
 */
export async function copyStore(
  directory: string,
  usedBytes: number,
  open: (directory: string) => KvStore,
  signal: AbortSignal,
): Promise<StoreCopy> {
  const { freeBytes } = readDiskStats(directory);
  if (freeBytes < usedBytes * (1 + RESERVE))
    throw new Error(
      `A snapshot needs a copy of the data, and the disk of ${directory} has too little space.`,
    );
  const to = await createEmpty(directory, COPY);
  try {
    signal.throwIfAborted();
    const program = new URL(`copy-process${extname(import.meta.filename)}`, import.meta.url);
    const child = fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const kill = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', kill);
    child.send({ from: directory, to } satisfies CopyRequest);
    const [code] = await once(child, 'exit');
    signal.removeEventListener('abort', kill);
    signal.throwIfAborted();
    if (code !== 0) throw new Error(`The data in ${directory} could not be copied: exit code ${code}.`);
    chmodSync(join(to, DATA_FILE), 0o600);
    const store = open(to);
    store.transact(revertUncommitted);
    return {
      store,
      async [Symbol.asyncDispose]() {
        store[Symbol.dispose]();
        await removeAll(to);
      },
    };
  } catch (error) {
    await removeAll(to);
    throw error;
  }
}

/** Returns an empty directory for a store that may replace the one of a data directory. */
export function createLoadedDirectory(directory: string): Promise<string> {
  return createEmpty(directory, LOADED);
}

/**
 * Replaces the store of a data directory by the one that was loaded. Both must be closed. If the process ends in between, the
 * directory has the store before or the loaded one; or none, after the one before was set aside.
 */
export async function installLoaded(directory: string): Promise<void> {
  const loaded = join(directory, LOADED);
  // It belongs to the replaced file, and LMDB creates another one.
  rmSync(join(directory, LOCK_FILE), { force: true });
  renameSync(join(loaded, DATA_FILE), join(directory, DATA_FILE));
  syncPath(directory);
  await removeAll(loaded);
}

/**
 * Moves the store of a data directory, which must be closed, into a data directory of its own inside it. Returns the path of
 * that directory.
 */
export function setAside(directory: string, name: string): string {
  const path = join(directory, name);
  mkdirSync(path, { mode: 0o700, recursive: true });
  if (existsSync(join(directory, DATA_FILE))) renameSync(join(directory, DATA_FILE), join(path, DATA_FILE));
  markDataDirectory(path);
  syncPath(directory);
  return path;
}
