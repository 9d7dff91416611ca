import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import { pathOf } from '@hearth/core/tree/path.ts';
import type { ImportService } from '../database/import/import-service.ts';
import { ADMIN } from '../identity/identity.ts';
import { StartFailure } from '../ops/start-failure.ts';
import { findDatabaseFolder, findMetadata, PREVIOUS_FOLDER } from './emulator-metadata.ts';

const FILE = /^([A-Za-z0-9-]{1,63})\.json$/;

/**
 * Replaces the databases that an export of an emulator suite holds by what it says, one after the other, and returns their
 * names. Throws a `StartFailure` that names the file; the databases before it are replaced then.
 */
export async function importEmulatorData(
  name: string,
  imports: Pick<ImportService, 'stageSet'>,
): Promise<readonly string[]> {
  const directory = resolve(name);
  const metadata = findMetadata(directory);
  if (metadata === undefined)
    throw new StartFailure(`${directory} holds no export of an emulator suite: name another with --import.`);
  const folder = findDatabaseFolder(metadata);
  if (folder === undefined) return [];
  const names: string[] = [];
  for (const file of listFiles(directory, folder)) {
    const database = FILE.exec(file.name)?.[1]?.toLowerCase();
    if (database === undefined) continue;
    await importDatabase(database, file.path, imports);
    names.push(database);
  }
  return names;
}

function listFiles(
  directory: string,
  folder: string,
): readonly { readonly name: string; readonly path: string }[] {
  const found = [join(directory, folder), join(directory, PREVIOUS_FOLDER)].find((path) => existsSync(path));
  if (found === undefined) throw new StartFailure(`The export ${directory} lacks its folder ${folder}.`);
  return readdirSync(found)
    .sort()
    .map((name) => ({ name, path: join(found, name) }));
}

async function importDatabase(
  database: string,
  path: string,
  imports: Pick<ImportService, 'stageSet'>,
): Promise<void> {
  const request = { identity: ADMIN, path: pathOf([]), areTriggersDisabled: true };
  try {
    await imports.stageSet(database, request, createReadStream(path));
  } catch (cause) {
    const isExpected = cause instanceof Refusal || (cause instanceof Error && 'code' in cause);
    throw isExpected ? new StartFailure(`${path}: ${cause.message}`, cause) : cause;
  }
}
