import { createWriteStream, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathOf } from '@hearth/core/tree/path.ts';
import { ADMIN } from '../access/principal.ts';
import { ensureDirectory } from '../platform/data-directory.ts';
import { CommandFailure } from '../platform/failures.ts';
import type { DatabaseService } from '../realtime/database/api.ts';
import {
  type EmulatorProduct,
  findMetadata,
  METADATA_FILE,
  previousFolder,
  withProducts,
} from './export-format.ts';

/**
 * Writes products as an emulator export, and returns a description of each written product in words. Other products
 * in the directory remain. An earlier export is replaced only once the new one is complete and on disk. Rejects with a
 * `CommandFailure` if a folder cannot be created.
 */
export async function exportEmulatorData(
  name: string,
  version: string,
  products: readonly EmulatorProduct[],
): Promise<readonly string[]> {
  const directory = resolve(name);
  const written: EmulatorProduct[] = [];
  const words: string[] = [];
  for (const product of products) {
    const unfinished = unfinishedFolder(directory, product);
    createFolder(unfinished);
    const what = await product.write(unfinished);
    if (what === undefined) {
      rmSync(unfinished, { recursive: true });
      continue;
    }
    written.push(product);
    words.push(what);
  }
  const metadata = JSON.stringify(withProducts(findMetadata(directory) ?? {}, version, written), null, 2);
  const metadataPath = join(directory, METADATA_FILE);
  writeFileSync(`${metadataPath}.unfinished`, `${metadata}\n`, { flush: true });
  for (const product of written) replaceFolder(directory, product);
  renameSync(`${metadataPath}.unfinished`, metadataPath);
  for (const { folder } of written)
    rmSync(join(directory, previousFolder(folder)), { recursive: true, force: true });
  return words;
}

function unfinishedFolder(directory: string, { folder }: EmulatorProduct): string {
  return join(directory, `${folder}.unfinished`);
}

/**
 * Creates an empty folder, and removes an existing one first. Throws a `CommandFailure` if it cannot be
 * created.
 */
function createFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
    ensureDirectory(path);
  } catch (cause) {
    throw new CommandFailure(`${path} cannot be created (${String(cause)})`, cause);
  }
}

/** Replaces the folder of a product. If the process ends between the two steps, an import uses the previous folder. */
function replaceFolder(directory: string, product: EmulatorProduct): void {
  const folder = join(directory, product.folder);
  const previous = join(directory, previousFolder(product.folder));
  if (existsSync(folder)) {
    rmSync(previous, { recursive: true, force: true });
    renameSync(folder, previous);
  }
  renameSync(unfinishedFolder(directory, product), folder);
}

/** The databases to export. */
export interface DatabaseSource {
  readonly databases: Pick<DatabaseService, 'read'>;
  databaseNames(): readonly string[];
}

/** Time limit for one database, in ms. */
const TIMEOUT_MS = 2 ** 31 - 1;

const NOTHING = 'null';

/** Returns the product that writes each database that is not empty to a file with the name of the database. */
export function databaseProduct(source: DatabaseSource): EmulatorProduct {
  return {
    name: 'database',
    folder: 'database_export',
    async write(folder) {
      const names: string[] = [];
      for (const database of source.databaseNames())
        if (await writeDatabase(source, database, join(folder, `${database}.json`))) names.push(database);
      return names.length === 0 ? 'no database' : names.join(', ');
    },
  };
}

/** Writes a database to a file. Returns false and writes nothing if the database is empty. */
async function writeDatabase(
  { databases }: DatabaseSource,
  database: string,
  path: string,
): Promise<boolean> {
  const { json } = await databases.read(database, {
    operation: 'GET',
    identity: ADMIN,
    path: pathOf([]),
    form: 'export',
    selection: { kind: 'node' },
    wantsHash: false,
    timeoutMs: TIMEOUT_MS,
  });
  if (json.kind === 'whole' && json.bytes.toString() === NOTHING) return false;
  const parts = json.kind === 'whole' ? [json.bytes] : json.parts;
  await pipeline(Readable.from(parts, { objectMode: false }), createWriteStream(path, { flush: true }));
  return true;
}
