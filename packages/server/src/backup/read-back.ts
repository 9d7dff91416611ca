import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseDirectory, findStoredTree } from '../database/database-directory.ts';
import { LmdbReader } from '../kv/lmdb-reader.ts';
import type { KvRead } from '../kv/store.ts';
import { checkLog } from '../log/check-log.ts';
import { CommandFailure } from '../ops/command-failure.ts';
import { jsonBytes } from '../tree/json-bytes.ts';
import type { StoredTree } from '../tree/stored-tree.ts';
import { examineStore } from './examine-store.ts';
import type { BackedUpDatabase } from './manifest.ts';

/** Pieces of text between two reports of how far it is. */
const STEP_PIECES = 64;

/**
 * Opens a copy of a store and reads all of it: its structure, and the text of every database. Yields from time to time, with
 * the share that is done. Throws a `CommandFailure` when the copy is not sound.
 */
export function* readBack(directory: string): Generator<number, readonly BackedUpDatabase[]> {
  const wrong = (yield* examineStore(directory)).filter(({ verdict }) => verdict === 'problem');
  if (wrong.length > 0) throw new CommandFailure(wrong.map(({ message }) => message).join(' '));
  const databases = yield* readDatabases(directory);
  // Nobody else has opened the copy, and it is not a part of it.
  rmSync(join(directory, 'lock.mdb'), { force: true });
  return databases;
}

function* readDatabases(directory: string): Generator<number, readonly BackedUpDatabase[]> {
  using reader = new LmdbReader(directory);
  const databases: BackedUpDatabase[] = [];
  for (const name of new DatabaseDirectory().allNames(reader, '', Number.POSITIVE_INFINITY)) {
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
