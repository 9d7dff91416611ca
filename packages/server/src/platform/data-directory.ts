import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { StartFailure } from './failures.ts';

/**
 * Creates a directory and its parents, unless the path already exists. Throws the system's error. Node's recursive
 * `mkdirSync` would never return if the kernel lists a directory but denies that it exists, as in `/proc`.
 */
export function ensureDirectory(path: string, mode = 0o777): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  const parent = dirname(path);
  if (parent !== path) ensureDirectory(parent, mode);
  mkdirSync(path, { mode });
}

/** Flushes a file, or the entries of a directory, to disk. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Returns the absolute path of the key file in a data directory, for servers without an option that names
 * another path.
 */
export function secretKeyPath(directory: string): string {
  return join(resolve(directory), 'secret.key');
}

/**
 * The marker file. It states that a directory belongs to Hearth, and its format:
 * `{"product":"hearth","format":2}`. Owner: this file. History: 1 was written by lmdb 3, which stores free
 * pages as runs; 2 stores a list of pages, as LMDB does. A library that reads the free pages of the other
 * format would overwrite pages that are in use.
 */
const MARKER = 'hearth.json';
const PRODUCT = 'hearth';
const FORMAT = 2;

/** The lock file, held while a process uses the directory. Always empty. */
const LOCK = 'lock';
export const UNFINISHED_MARKER = 'hearth.json.new';

/**
 * Files that an interrupted start may leave behind, and the directory that Linux creates in the root of every
 * new volume.
 */
const IGNORED: ReadonlySet<string> = new Set([LOCK, UNFINISHED_MARKER, 'lost+found']);

/** A data directory that no other process can use until it is disposed. */
export interface DataDirectory extends Disposable {
  /** Absolute path. */
  readonly path: string;
}

/**
 * Locks a data directory for this process. Creates or initializes the directory if needed. Throws a
 * `StartFailure` and changes nothing if the path is not a directory, does not belong to Hearth, has another
 * format, is not accessible, or is in use.
 */
export function openDataDirectory(name: string): DataDirectory {
  const path = resolve(name);
  try {
    createIfMissing(path);
    // Checked before the lock file is created, so that a directory of another program stays unchanged.
    readState(path);
    const lock = acquireLock(path);
    try {
      // Checked again, because another process may have initialized the directory first.
      if (readState(path) === 'empty') writeMarker(path);
    } catch (cause) {
      closeSync(lock);
      throw cause;
    }
    return { path, [Symbol.dispose]: () => closeSync(lock) };
  } catch (cause) {
    throw cause instanceof StartFailure ? cause : new StartFailure(describe(path, cause), cause);
  }
}

/**
 * Returns the absolute path of an existing Hearth data directory, for reading it while another process may
 * use it. Throws a `StartFailure` if the directory is missing, is not accessible, does not belong to Hearth, or has
 * another format.
 */
export function findDataDirectory(name: string): string {
  const path = resolve(name);
  try {
    if (!readdirSync(path).includes(MARKER))
      throw new StartFailure(`The directory ${path} is not a Hearth data directory. Name one with --data.`);
    readState(path);
    return path;
  } catch (cause) {
    throw cause instanceof StartFailure ? cause : new StartFailure(describeMissing(path, cause), cause);
  }
}

/**
 * Returns the nearest directory above a path that belongs to Hearth: a data directory or a backup. The path
 * need not exist.
 */
export function findEnclosingDirectory(path: string): string | undefined {
  for (let above = findRealPath(dirname(resolve(path))); ; above = dirname(above)) {
    if (isMarked(above)) return above;
    if (above === dirname(above)) return undefined;
  }
}

/** Returns the path with symbolic links resolved in the part that exists. */
function findRealPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(findRealPath(dirname(path)), basename(path));
}

/** Returns whether a process uses a data directory. */
export function isDataDirectoryInUse(path: string): boolean {
  const lock = findLockFile(path);
  if (lock === undefined) return false;
  try {
    // Closing the file releases the lock.
    return !tryLock(lock);
  } finally {
    closeSync(lock);
  }
}

function findLockFile(path: string): number | undefined {
  try {
    return openSync(join(path, LOCK), 'r+');
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    throw cause;
  }
}

function describeMissing(path: string, cause: unknown): string {
  const code = codeOf(cause);
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? `The directory ${path} does not exist. Name a data directory with --data.`
    : describe(path, cause);
}

/** Returns whether a directory contains the marker file. */
export function isMarked(path: string): boolean {
  return existsSync(join(path, MARKER));
}

/**
 * Writes the marker file of a directory that was filled by other code. The marker is on disk when the
 * function returns.
 */
export function markDataDirectory(path: string): void {
  writeMarker(path);
}

function createIfMissing(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) ensureDirectory(path, 0o700);
  else if (!found.isDirectory())
    throw new StartFailure(`The data directory ${path} is not a directory. Choose another with --data.`);
}

function readState(path: string): 'empty' | 'ours' {
  const entries = readdirSync(path);
  if (!entries.includes(MARKER)) {
    if (entries.every((entry) => IGNORED.has(entry))) return 'empty';
    throw new StartFailure(
      `The directory ${path} contains files that do not belong to Hearth. Choose an empty or new directory with --data.`,
    );
  }
  const format = parseMarker(readFileSync(join(path, MARKER), 'utf8'));
  if (format === undefined)
    throw new StartFailure(
      `The directory ${path} is not a Hearth data directory: its ${MARKER} belongs to another program. Choose another with --data.`,
    );
  if (format > FORMAT)
    throw new StartFailure(
      `The data directory ${path} was written by a newer version of Hearth (format ${format}; this version reads ${FORMAT}). Start that version instead.`,
    );
  if (format < FORMAT)
    throw new StartFailure(
      `The data directory ${path} was written by an older version of Hearth (format ${format}; this version reads ${FORMAT}). Export it with that version, and import it into a new directory.`,
    );
  return 'ours';
}

function parseMarker(text: string): number | undefined {
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json !== 'object' || json === null || !('product' in json) || !('format' in json))
      return undefined;
    const { product, format } = json;
    const isKnown =
      product === PRODUCT && typeof format === 'number' && Number.isSafeInteger(format) && format >= 1;
    return isKnown ? format : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

/** Returns a file descriptor that holds the lock. Throws a `StartFailure` if the directory is in use. */
function acquireLock(path: string): number {
  const lock = openSync(join(path, LOCK), 'a+', 0o600);
  try {
    if (tryLock(lock)) return lock;
    throw new StartFailure(
      `The data directory ${path} is in use by another process. Stop it, or choose another directory with --data.`,
    );
  } catch (cause) {
    closeSync(lock);
    throw cause;
  }
}

/** Writes the marker file atomically, even if the machine stops halfway. */
function writeMarker(path: string): void {
  const unfinished = join(path, UNFINISHED_MARKER);
  const file = openSync(unfinished, 'w', 0o600);
  try {
    writeSync(file, `${JSON.stringify({ product: PRODUCT, format: FORMAT })}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, join(path, MARKER));
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

function describe(path: string, cause: unknown): string {
  switch (codeOf(cause)) {
    case 'EACCES':
    case 'EPERM':
      return `The data directory ${path} is not readable and writable for this user. Change its permissions, or choose another with --data.`;
    case 'EROFS':
      return `The data directory ${path} is on a read-only file system. Choose another with --data.`;
    case 'ENOTDIR':
    case 'ENOENT':
      return `The data directory ${path} cannot be created, because a part of its path is a file or cannot be created. Choose another with --data.`;
    case 'ENOSPC':
      return `The data directory ${path} cannot be set up because the disk is full.`;
    default:
      return `The data directory ${path} cannot be used (${cause instanceof Error ? cause.message : String(cause)}).`;
  }
}

function codeOf(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
}
