import { createReadStream, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { pathOf } from '@hearth/core/tree/path.ts';
import { ADMIN } from '../access/principal.ts';
import { StartFailure } from '../platform/failures.ts';
import type { ImportService } from '../realtime/import/import.ts';
import { findMetadata, findProductFolder } from './export-format.ts';

const FILE = /^([A-Za-z0-9-]{1,63})\.json$/;

/**
 * Replaces the databases that the emulator export in the directory `name` contains, one after the other. Returns their
 * names. Reports each file that it skips. If a file cannot be imported, throws a `StartFailure` that names the file; the
 * databases before it are then already replaced. If two files belong to the same database, or the directory is not an
 * export, throws a `StartFailure` and replaces nothing.
 */
export async function importEmulatorData(
  name: string,
  imports: Pick<ImportService, 'stageSet'>,
  report: (line: string) => void,
): Promise<readonly string[]> {
  const directory = resolve(name);
  const metadata = findMetadata(directory);
  if (metadata === undefined)
    throw new StartFailure(
      `${directory} contains no emulator suite export. Name another directory with --import.`,
    );
  const folder = findProductFolder(directory, metadata, 'database');
  if (folder === undefined) return [];
  const files = filesByDatabase(folder, report);
  for (const [database, path] of files) await importDatabase(database, path, imports);
  return [...files.keys()];
}

/** Returns the path of each database's file by database name, in the order of the file names. */
function filesByDatabase(folder: string, report: (line: string) => void): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    const database = FILE.exec(name)?.[1]?.toLowerCase();
    if (database === undefined) {
      report(
        `${path} was skipped: a database file must be named <database>.json, with letters, digits and hyphens.`,
      );
      continue;
    }
    const other = files.get(database);
    if (other !== undefined)
      throw new StartFailure(
        `${other} and ${path} belong to the same database, because database names ignore case. Remove one of them.`,
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
    const isExpected = cause instanceof RequestError || (cause instanceof Error && 'code' in cause);
    throw isExpected ? new StartFailure(`${path}: ${cause.message}`, cause) : cause;
  }
}
