import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CommandFailure } from '../ops/command-failure.ts';
import { ensureDirectory } from '../ops/ensure-directory.ts';
import { findMetadata, METADATA_FILE, previousFolder, withProducts } from './emulator-metadata.ts';
import type { EmulatorProduct } from './emulator-product.ts';

/**
 * Writes products as an export of an emulator suite, and returns what was written, in words. What the directory holds of
 * others stays. An earlier export is replaced when this one is whole and on disk, and not before.
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

/** Empty, even if it was there. Throws a `CommandFailure` when it cannot be made. */
function createFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
    ensureDirectory(path);
  } catch (cause) {
    throw new CommandFailure(`${path} cannot be created (${String(cause)})`, cause);
  }
}

/** An import finds the previous folder when this is cut short between its two steps. */
function replaceFolder(directory: string, product: EmulatorProduct): void {
  const folder = join(directory, product.folder);
  const previous = join(directory, previousFolder(product.folder));
  if (existsSync(folder)) {
    rmSync(previous, { recursive: true, force: true });
    renameSync(folder, previous);
  }
  renameSync(unfinishedFolder(directory, product), folder);
}
