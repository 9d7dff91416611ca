import type { TextFile } from './repository.ts';
import type { SourceFile } from './source-file.ts';

const FILE_NAME = /(?<![\w./<*…-])(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:tsx?|mjs)\b/g;

/** Returns whether the repository has a file whose path ends with these parts, such as `kv/store.ts`. */
export type FileLookup = (ending: string) => boolean;

/** Creates the `FileLookup` of a repository with these paths. */
export function createFileLookup(paths: readonly string[]): FileLookup {
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

/** Returns a problem for each source file that is named in a comment and does not exist. */
export function checkNamesInComments({ path, comments }: SourceFile, exists: FileLookup): readonly string[] {
  return comments.flatMap(({ text, line }) =>
    (text.match(FILE_NAME) ?? [])
      .filter((name) => !exists(name))
      .map((name) => `${path}:${line}: there is no file ${name}`),
  );
}

/** Returns a problem for each source file that a document names in backticks and that does not exist. */
export function checkNamesInDocument({ path, text }: TextFile, exists: FileLookup): readonly string[] {
  return text.split('\n').flatMap((line, index) =>
    [...line.matchAll(/`([^`]+)`/g)]
      .flatMap(([, code = '']) => (/\s/.test(code) ? [] : (code.match(FILE_NAME) ?? [])))
      .filter((name) => !exists(name))
      .map((name) => `${path}:${index + 1}: there is no file ${name}`),
  );
}
