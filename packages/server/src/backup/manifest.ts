import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailure } from '../platform/failures.ts';
import { DatabaseCatalog, findStoredTree } from '../realtime/database/catalog.ts';
import { LmdbReader } from '../storage/kv/lmdb-reader.ts';
import type { KvRead } from '../storage/kv/store.ts';
import { checkLog } from '../storage/log/record.ts';
import { jsonBytes } from '../storage/tree/json-bytes.ts';
import type { StoredTree } from '../storage/tree/stored-tree.ts';
import { examineStore } from './examine-store.ts';

const READ_BYTES = 1 << 20;

/** Returns the SHA-256 of a file in hexadecimal, and the file's length. Reports the number of bytes read. */
export async function hashFile(
  path: string,
  onBytes: (doneBytes: number, totalBytes: number) => void,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const totalBytes = statSync(path).size;
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES })) {
    hash.update(chunk);
    bytes += chunk.length;
    onBytes(bytes, totalBytes);
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** The data of one database in a backup. */
export interface BackedUpDatabase {
  readonly name: string;
  /** Number of the last commit. */
  readonly commit: number;
  /** Hash of the database's JSON text in export form, in hexadecimal. */
  readonly sha256: string;
}

/**
 * The description of a backup, in the file `backup.json` next to `data.mdb`. Owner: this file. History: 1 is
 * the first format.
 */
export interface Manifest {
  readonly product: 'hearth-backup';
  readonly format: 1;
  readonly takenAtMs: number;
  /** Length of the file `data.mdb`. */
  readonly bytes: number;
  /** Hash of the file `data.mdb`, in hexadecimal. */
  readonly sha256: string;
  readonly databases: readonly BackedUpDatabase[];
}

const FILE = 'backup.json';

export function writeManifest(directory: string, manifest: Manifest): void {
  writeFileSync(join(directory, FILE), `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  });
}

/** Reads the manifest of a backup. Throws a `CommandFailure` if this version cannot read the backup. */
export function readManifest(directory: string): Manifest {
  const manifest = parseManifest(directory);
  if (manifest.format === 1) return manifest;
  throw new CommandFailure(
    `The backup ${directory} was written by another version of Hearth (format ${String(manifest.format)}; this version reads 1).`,
  );
}

/** Parses the manifest. Checks only `product`: no other program writes a file with this value. */
function parseManifest(directory: string): Manifest {
  try {
    const manifest: Manifest = JSON.parse(readFileSync(join(directory, FILE), 'utf8'));
    if (manifest.product === 'hearth-backup') return manifest;
  } catch (cause) {
    throw new CommandFailure(
      `${directory} is not a complete Hearth backup: its ${FILE} is missing or damaged.`,
      cause,
    );
  }
  throw new CommandFailure(`${directory} is not a Hearth backup: its ${FILE} belongs to another program.`);
}

/** Number of pieces of text between two progress reports. */
const STEP_PIECES = 64;

/**
 * Reads a whole copy of a store: its structure, and the text of every database. Yields the completed share at
 * intervals, and returns the databases. Throws a `CommandFailure` if the copy is damaged.
 */
export function* readBack(directory: string): Generator<number, readonly BackedUpDatabase[]> {
  const wrong = (yield* examineStore(directory)).filter(({ verdict: result }) => result === 'problem');
  if (wrong.length > 0) throw new CommandFailure(wrong.map(({ message }) => message).join(' '));
  const databases = yield* readDatabases(directory);
  // LMDB created this file for other processes, but no other process has opened the copy.
  rmSync(join(directory, 'lock.mdb'), { force: true });
  return databases;
}

function* readDatabases(directory: string): Generator<number, readonly BackedUpDatabase[]> {
  using reader = new LmdbReader(directory);
  const databases: BackedUpDatabase[] = [];
  for (const name of new DatabaseCatalog().allNames(reader, '', Number.POSITIVE_INFINITY)) {
    const sha256 = yield* hashTree(reader, findStoredTree(reader, name));
    databases.push({ name, commit: checkLog(reader, name).seq, sha256 });
  }
  return databases;
}

function* hashTree(tx: KvRead, tree: StoredTree | undefined): Generator<number, string> {
  const hash = createHash('sha256');
  let pieces = 0;
  for (const piece of tree === undefined ? [] : jsonBytes(tx, tree, [], 'export')) {
    hash.update(piece);
    pieces += 1;
    if (pieces % STEP_PIECES === 0) yield 1;
  }
  return hash.digest('hex');
}
