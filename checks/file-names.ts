import type { TextFile } from './repository.ts';
import type { SourceFile } from './source-file.ts';

const FILE_NAME = /(?<![\w./<*…-])(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:tsx?|mjs)\b/g;

/** A function that returns whether the repository has a file, given the end of its path. */
export type FileFinder = (ending: string) => boolean;

/** Returns a function that finds a file by the last parts of its path, such as `kv/store.ts`. */
export function createFileFinder(paths: readonly string[]): FileFinder {
  const endings = new Set(
    paths.flatMap((path) => {
      const names = path.split('/');
      return names.map((_, index) => names.slice(index).join('/'));
    }),
  );
  // Documents omit `packages/` and `src/`: `core/tree/digest.ts`.
  for (const path of paths) endings.add(path.replace(/^packages\/([^/]+)\/src\//, '$1/'));
  return (ending) => endings.has(ending);
}

/** Returns the source files that the comments of a file name and that do not exist. */
export function checkNamesInComments({ path, comments }: SourceFile, exists: FileFinder): readonly string[] {
  return comments.flatMap(({ text, line }) =>
    (text.match(FILE_NAME) ?? [])
      .filter((name) => !exists(name))
      .map((name) => `${path}:${line}: there is no file ${name}`),
  );
}

/** Returns the source files that a document names in backticks and that do not exist. */
export function checkNamesInDocument({ path, text }: TextFile, exists: FileFinder): readonly string[] {
  return text.split('\n').flatMap((line, index) =>
    [...line.matchAll(/`([^`]+)`/g)]
      .flatMap(([, code = '']) => (/\s/.test(code) ? [] : (code.match(FILE_NAME) ?? [])))
      .filter((name) => !exists(name))
      .map((name) => `${path}:${index + 1}: there is no file ${name}`),
  );
}
