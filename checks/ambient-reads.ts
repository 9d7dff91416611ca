import { isTestSupport } from './repository.ts';
import type { SourceFile } from './source-file.ts';

/**
 * Globals that read the time, random values, the environment or the command line. Production code takes these
 * values as arguments instead.
 */
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

/** Exports of `node:crypto` that produce random values. Other exports, such as hashes, are allowed. */
const RANDOM_EXPORTS = /^(randomBytes|randomUUID|randomInt|randomFillSync|randomFill)$/;

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

/**
 * Returns the uses of `AMBIENT_NAMES` and `RANDOM_EXPORTS` in production code outside `platform`, as
 * `file:line: reads name` or `file:line: imports name`.
 */
export function checkAmbientReads(files: readonly SourceFile[]): readonly string[] {
  return files
    .filter(({ path }) => isChecked(path))
    .flatMap(({ path, reads, importedNames }) => [
      ...reads
        .filter(({ name }) => AMBIENT_NAMES.has(name) && !isAllowed(path, name))
        .map(({ name, line }) => `${path}:${line}: reads ${name}`),
      ...importedNames
        .filter(({ name, specifier }) => specifier === 'node:crypto' && RANDOM_EXPORTS.test(name))
        .map(({ name, line }) => `${path}:${line}: imports ${name}`),
    ]);
}
