import { join } from 'node:path';
import { child } from './firebase-project.ts';
import { findProjectFile, type JsonObject } from './project-file.ts';

/** The file at the top of an export of the emulator suite, which says which products it holds and where. */
export const METADATA_FILE = 'firebase-export-metadata.json';

/** Where exports keep databases, unless they say otherwise. */
export const DATABASE_FOLDER = 'database_export';

/** Where the last export is for a moment while another takes its place. */
export const PREVIOUS_FOLDER = `${DATABASE_FOLDER}.previous`;

/** What an export says of itself; `undefined` when the directory holds none. Throws a `StartFailure` when it is not JSON. */
export function findMetadata(directory: string): JsonObject | undefined {
  const path = join(directory, METADATA_FILE);
  return findProjectFile(path, path);
}

/** The same with the database in it, and all other products as they were. */
export function withDatabase(metadata: JsonObject, version: string): JsonObject {
  return { version, ...metadata, database: { version, path: DATABASE_FOLDER } };
}

/** Name of the folder that holds the databases; `undefined` when the export is of other products. */
export function findDatabaseFolder(metadata: JsonObject): string | undefined {
  const { path } = child(metadata, 'database');
  return typeof path === 'string' ? path : undefined;
}
