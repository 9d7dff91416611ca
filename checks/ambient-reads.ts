import { isTestSupport } from './repository.ts';
import type { SourceFile } from './source-file.ts';

/** Reads of time, chance and the environment, which production code takes as arguments instead. */
const AMBIENT_NAMES = new Set([
  'Date.now',
  'new Date',
  'performance.now',
  'performance.timeOrigin',
  'process.hrtime',
  'Math.random',
  'crypto.randomUUID',
  'crypto.getRandomValues',
  'process.env',
  'process.argv',
]);

/** Names of `node:crypto` that make random values; importing the module is allowed for its hashes. */
const RANDOM_STRINGS = /^(randomBytes|randomUUID|randomInt|randomFillSync|randomFill)$/;

function isChecked(path: string): boolean {
  return (
    /^packages\/(core|server)\/src\//.test(path) &&
    !isTestSupport(path) &&
    !path.startsWith('packages/server/src/platform/')
  );
}

function isAllowed(path: string, name: string): boolean {
  return path === 'packages/server/src/cli/main.ts' && name === 'process.argv';
}

/** Reads of time, chance or the environment outside `platform`, as `file:line: reads name`. */
export function checkAmbientReads(files: readonly SourceFile[]): readonly string[] {
  return files
    .filter(({ path }) => isChecked(path))
    .flatMap(({ path, reads, importedNames }) => [
      ...reads
        .filter(({ name }) => AMBIENT_NAMES.has(name) && !isAllowed(path, name))
        .map(({ name, line }) => `${path}:${line}: reads ${name}`),
      ...importedNames
        .filter(({ name, specifier }) => specifier === 'node:crypto' && RANDOM_STRINGS.test(name))
        .map(({ name, line }) => `${path}:${line}: imports ${name}`),
    ]);
}
