import { createWriteStream, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathOf } from '@hearth/core/tree/path.ts';
import type { DatabaseService } from '../database/database-service.ts';
import { ADMIN } from '../identity/identity.ts';
import { CommandFailure } from '../ops/command-failure.ts';
import { ensureDirectory } from '../ops/ensure-directory.ts';
import {
  DATABASE_FOLDER,
  findMetadata,
  METADATA_FILE,
  PREVIOUS_FOLDER,
  withDatabase,
} from './emulator-metadata.ts';

/** What can be exported. */
export interface ExportSource {
  readonly databases: Pick<DatabaseService, 'read'>;
  /** The names of all databases. */
  databaseNames(): readonly string[];
}

/** Longest time that one database may take, in ms. */
const TIMEOUT_MS = 2 ** 31 - 1;

const UNFINISHED_FOLDER = `${DATABASE_FOLDER}.unfinished`;
const NOTHING = 'null';

/**
 * Writes all databases that hold something as an export of an emulator suite, and returns their names. What the directory
 * holds of other products stays. An earlier export is replaced when this one is whole and on disk, and not before.
 */
export async function exportEmulatorData(
  name: string,
  version: string,
  source: ExportSource,
): Promise<readonly string[]> {
  const directory = resolve(name);
  const unfinished = join(directory, UNFINISHED_FOLDER);
  createFolder(unfinished);
  const names: string[] = [];
  for (const database of source.databaseNames())
    if (await writeDatabase(source, database, join(unfinished, `${database}.json`))) names.push(database);
  const metadata = JSON.stringify(withDatabase(findMetadata(directory) ?? {}, version), null, 2);
  const metadataPath = join(directory, METADATA_FILE);
  writeFileSync(`${metadataPath}.unfinished`, `${metadata}\n`, { flush: true });
  replaceFolder(directory, unfinished);
  renameSync(`${metadataPath}.unfinished`, metadataPath);
  rmSync(join(directory, PREVIOUS_FOLDER), { recursive: true, force: true });
  return names;
}

/** Empty, even if it was there. Throws a `CommandFailure` when it cannot be made. */
function createFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
    ensureDirectory(path);
  } catch (cause) {
    throw new CommandFailure(`${path} cannot be created (${String(cause)})`, cause);
  }
}

/** Is there anything in the database? If not, there is no file. */
async function writeDatabase({ databases }: ExportSource, database: string, path: string): Promise<boolean> {
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

/** An import finds the previous folder when this is cut short between its two steps. */
function replaceFolder(directory: string, unfinished: string): void {
  const folder = join(directory, DATABASE_FOLDER);
  const previous = join(directory, PREVIOUS_FOLDER);
  if (existsSync(folder)) {
    rmSync(previous, { recursive: true, force: true });
    renameSync(folder, previous);
  }
  renameSync(unfinished, folder);
}
