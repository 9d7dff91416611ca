import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

const FOREIGN_FOLDERS = new Set(['node_modules', 'dist', 'coverage', '.git', '.hearth']);

/** Returns the text of a file, given by its path from the root. */
export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/**
 * Returns the paths of all files of the repository from its root, with `/`, sorted. Omits installed and built
 * files.
 */
export function listFiles(folder = ''): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => !FOREIGN_FOLDERS.has(entry.name))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? listFiles(path) : [path];
    })
    .sort();
}

/** A file of the repository, or an example of one. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

export function readFiles(isWanted: (path: string) => boolean): readonly TextFile[] {
  return listFiles()
    .filter(isWanted)
    .map((path) => ({ path, text: readText(path) }));
}

export function isSource(path: string): boolean {
  return /\.(ts|tsx|mjs)$/.test(path);
}

/**
 * Returns whether a path belongs to a file for tests, by its name or by a parent folder `model`. Production
 * code may not import such a file.
 */
export function isTestSupport(path: string): boolean {
  return /\.(test|suite|fixtures?|arbitrary|bench)\.tsx?$|(^|[/.])contract\.ts$|^packages\/(core|server)\/.*\/model\//.test(
    path,
  );
}
