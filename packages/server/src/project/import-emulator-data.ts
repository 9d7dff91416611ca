import { createReadStream, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import { pathOf } from '@hearth/core/tree/path.ts';
import type { ImportService } from '../database/import/import-service.ts';
import { ADMIN } from '../identity/identity.ts';
import { StartFailure } from '../ops/start-failure.ts';
import { findMetadata, findProductFolder } from './emulator-metadata.ts';

const FILE = /^([A-Za-z0-9-]{1,63})\.json$/;

/**
 * Replaces the databases that an export of an emulator suite holds by what it says, one after the other, and returns their
 * names. Tells `report` of files that are left out. Throws a `StartFailure` that names the file; the databases before it are
 * replaced then, but none when two files are of one database.
 */
export async function importEmulatorData(
  name: string,
  imports: Pick<ImportService, 'stageSet'>,
  report: (line: string) => void,
): Promise<readonly string[]> {
  const directory = resolve(name);
  const metadata = findMetadata(directory);
  if (metadata === undefined)
    throw new StartFailure(`${directory} holds no export of an emulator suite: name another with --import.`);
  const folder = findProductFolder(directory, metadata, 'database');
  if (folder === undefined) return [];
  const files = filesByDatabase(folder, report);
  for (const [database, path] of files) await importDatabase(database, path, imports);
  return [...files.keys()];
}

/** The path of each database's file, in the order of their names. */
function filesByDatabase(folder: string, report: (line: string) => void): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    const database = FILE.exec(name)?.[1]?.toLowerCase();
    if (database === undefined) {
      report(
        `${path} is left out: files of databases are <database>.json, with letters, digits and hyphens.`,
      );
      continue;
    }
    const other = files.get(database);
    if (other !== undefined)
      throw new StartFailure(
        `${other} and ${path} are of one database, because case does not count in the name of a database: remove one of them.`,
      );
    files.set(database, path);
  }
  return files;
}

async function importDatabase(
  database: string,
  path: string,
  imports: Pick<ImportService, 'stageSet'>,
): Promise<void> {
  const request = { operation: 'PUT', identity: ADMIN, path: pathOf([]), areTriggersDisabled: true } as const;
  try {
    await imports.stageSet(database, request, createReadStream(path));
  } catch (cause) {
    const isExpected = cause instanceof Refusal || (cause instanceof Error && 'code' in cause);
    throw isExpected ? new StartFailure(`${path}: ${cause.message}`, cause) : cause;
  }
}
