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
 * Creates a directory, and those above it, unless something has its name already. Throws the system's error. Node's own
 * recursive form never returns where the kernel denies that a directory exists which it shows, as in `/proc`.
 */
export function ensureDirectory(path: string, mode = 0o777): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  const parent = dirname(path);
  if (parent !== path) ensureDirectory(parent, mode);
  mkdirSync(path, { mode });
}

/** Flushes a file, or the names in a directory, to disk. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Where a data directory has the key file, if no option says otherwise. Absolute. */
export function secretKeyPath(directory: string): string {
  return join(resolve(directory), 'secret.key');
}

/**
 * Says that a directory is Hearth's, and how it is laid out: `{"product":"hearth","format":2}`.
 * Owner: this file. History: 1 was written through lmdb 3, which keeps free pages as runs; 2 has a list of pages, as LMDB has.
 * Either library would give pages that are in use away again if it took the other's list for its own.
 */
const MARKER = 'hearth.json';
const PRODUCT = 'hearth';
const FORMAT = 2;

/** Held while a process uses the directory. Always empty. */
const LOCK = 'lock';
export const UNFINISHED_MARKER = 'hearth.json.new';

/** What an interrupted start may leave behind, and what Linux puts into the root of every fresh volume. */
const IGNORED: ReadonlySet<string> = new Set([LOCK, UNFINISHED_MARKER, 'lost+found']);

/** A data directory that no other process uses until it is closed. */
export interface DataDirectory extends Disposable {
  /** Absolute path. */
  readonly path: string;
}

/**
 * Takes a data directory for this process, creating or initialising it if need be. Throws a `StartFailure`, having
 * changed nothing, when it is not one, is not Hearth's, has another format, may not be used, or is in use.
 */
export function openDataDirectory(name: string): DataDirectory {
  const path = resolve(name);
  try {
    createIfMissing(path);
    // Looked at before the lock file is made, so that a directory of somebody else stays as it is.
    readState(path);
    const lock = takeLock(path);
    try {
      // Looked at again: another process may have been faster.
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
 * The absolute path of a data directory that is Hearth's already, for a look at it beside whoever uses it. Throws a
 * `StartFailure` when it is none, or has another format.
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

/** The nearest directory above a path that is Hearth's: a data directory or a backup. The path need not exist. */
export function findEnclosingDirectory(path: string): string | undefined {
  for (let above = findRealPath(dirname(resolve(path))); ; above = dirname(above)) {
    if (isMarked(above)) return above;
    if (above === dirname(above)) return undefined;
  }
}

/** Where a path leads, as far as it exists. */
function findRealPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(findRealPath(dirname(path)), basename(path));
}

/** Does a process serve from a data directory? */
export function isDataDirectoryInUse(path: string): boolean {
  const lock = findLockFile(path);
  if (lock === undefined) return false;
  try {
    // Closing the file gives the lock back.
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

/** Does a directory say that it is Hearth's? */
export function isMarked(path: string): boolean {
  return existsSync(join(path, MARKER));
}

/** Says that a directory is Hearth's, for one that was filled otherwise; on disk when it returns. */
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

/** A descriptor that holds the lock. */
function takeLock(path: string): number {
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

/** Whole or not at all, even if the machine stops half-way. */
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
      return `The data directory ${path} cannot be created because part of its path does not allow it. Choose another with --data.`;
    case 'ENOSPC':
      return `The data directory ${path} cannot be set up because the disk is full.`;
    default:
      return `The data directory ${path} cannot be used (${cause instanceof Error ? cause.message : String(cause)}).`;
  }
}

function codeOf(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
}
