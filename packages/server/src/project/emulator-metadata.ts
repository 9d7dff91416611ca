import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StartFailure } from '../ops/start-failure.ts';
import type { EmulatorProduct, ProductName } from './emulator-product.ts';
import { child } from './firebase-project.ts';
import { findProjectFile, type JsonObject } from './project-file.ts';

/** The file at the top of an export of the emulator suite, which says which products it holds and where. */
export const METADATA_FILE = 'firebase-export-metadata.json';

/** Where the last export of a product is for a moment while another takes its place. */
export function previousFolder(folder: string): string {
  return `${folder}.previous`;
}

/** What an export says of itself; `undefined` when the directory holds none. Throws a `StartFailure` when it is not JSON. */
export function findMetadata(directory: string): JsonObject | undefined {
  const path = join(directory, METADATA_FILE);
  return findProjectFile(path, path);
}

/** The same with these products in it, and all others as they were. */
export function withProducts(
  metadata: JsonObject,
  version: string,
  products: readonly EmulatorProduct[],
): JsonObject {
  const added = products.map(({ name, folder }) => [name, { version, path: folder }]);
  return { version, ...metadata, ...Object.fromEntries(added) };
}

/** Path of the folder of a product; `undefined` when the export is of others. Throws a `StartFailure` when it is missing. */
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
  if (found === undefined) throw new StartFailure(`The export ${directory} lacks its folder ${path}.`);
  return found;
}
