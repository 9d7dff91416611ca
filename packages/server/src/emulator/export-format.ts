import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../auth/fields.ts';
import { StartFailure } from '../platform/failures.ts';
import { child, findProjectFile } from './firebase-json.ts';

/** The part of an emulator export that belongs to one product. */
export interface EmulatorProduct {
  /** The field of the product in the metadata. */
  readonly name: ProductName;
  /** The folder of the product's files in the export. */
  readonly folder: string;
  /**
   * Writes the files to an empty folder, and returns a description of them in words; `undefined` if earlier
   * files should remain.
   */
  write(folder: string): Promise<string | undefined>;
}

export type ProductName = 'auth' | 'database';

/** The file at the top of an emulator export, which lists the products and their folders. */
export const METADATA_FILE = 'firebase-export-metadata.json';

/** Returns the path of the previous export of a product while a new one replaces it. */
export function previousFolder(folder: string): string {
  return `${folder}.previous`;
}

/**
 * Returns the metadata of an export; `undefined` if the directory contains no export. Throws a `StartFailure`
 * if the file is not valid JSON.
 */
export function findMetadata(directory: string): JsonObject | undefined {
  const path = join(directory, METADATA_FILE);
  return findProjectFile(path, path);
}

/** Returns the metadata with these products added or replaced. Other products remain. */
export function withProducts(
  metadata: JsonObject,
  version: string,
  products: readonly EmulatorProduct[],
): JsonObject {
  const added = products.map(({ name, folder }) => [name, { version, path: folder }]);
  return { version, ...metadata, ...Object.fromEntries(added) };
}

/**
 * Returns the path of a product's folder; `undefined` if the export does not contain the product. Throws a
 * `StartFailure` if the folder is missing.
 */
export function findProductFolder(
  directory: string,
  metadata: JsonObject,
  name: ProductName,
): string | undefined {
  const { path } = child(metadata, name);
  if (typeof path !== 'string') return undefined;
  const found = [path, previousFolder(path)]
    .map((folder) => join(directory, folder))
    .find((folder) => existsSync(folder));
  if (found === undefined)
    throw new StartFailure(`The export ${directory} does not contain the folder ${path}.`);
  return found;
}
