import { posix } from 'node:path';
import { findTarget } from './boundaries.ts';
import { isTestSupport, type TextFile } from './repository.ts';
import type { SourceFile } from './source-file.ts';

/** Maximum number of lines of a source file. */
export const MAX_LINES = 400;

/** Maximum number of this repository's modules that one module imports. Installed packages are not counted. */
export const MAX_IMPORTS = 20;

/** Maximum number of source files in one folder, without its subfolders. */
export const MAX_FILES = 25;

/** Files that connect everything, and may therefore import more than `MAX_IMPORTS` modules. */
const COMPOSITION = /^packages\/server\/src\/app\//;

/** Returns whether a path is production code of a package, not a test, a fixture or a built file. */
export function isProduct(path: string): boolean {
  return /^packages\/[^/]+\/src\//.test(path) && !isTestSupport(path);
}

/** Returns a problem if a file has more than `MAX_LINES` lines. */
export function checkLines({ path, text }: TextFile): readonly string[] {
  const lines = text.replace(/\n$/, '').split('\n').length;
  return lines <= MAX_LINES
    ? []
    : [`${path}: ${lines} lines, ${MAX_LINES} are allowed. Move the second concept out.`];
}

/** Returns a problem if a module imports more than `MAX_IMPORTS` other modules of the repository. */
export function checkImports({ path, imports }: SourceFile): readonly string[] {
  const targets = new Set(imports.flatMap(({ specifier }) => findTarget(path, specifier) ?? []));
  return targets.size <= MAX_IMPORTS || COMPOSITION.test(path)
    ? []
    : [`${path}: imports ${targets.size} modules, ${MAX_IMPORTS} are allowed. Split it, or make it a table.`];
}

/** Returns a problem for each folder with more than `MAX_FILES` files. */
export function checkFolders(paths: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > MAX_FILES)
    .map(([folder, count]) => `${folder}: ${count} files, ${MAX_FILES} are allowed. Divide it by concept.`);
}
