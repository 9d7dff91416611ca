import { expect, test } from 'vitest';
import {
  checkComplete,
  checkExactVersions,
  checkInStep,
  checkListed,
  checkNoRegistry,
  type LockedPackages,
  type PackageEntry,
} from './packages.ts';
import { listFiles, readText } from './repository.ts';

const CLIENTS = 'conformance/clients/';

/** Folders with their own lock file, because only tests or the bench need their packages, which are large. */
const APART: readonly string[] = [CLIENTS, 'bench/peers/'];

/** Returns the folder of the lock file that a manifest belongs to. */
function lockFolder(path: string): string {
  return APART.find((folder) => path.startsWith(folder)) ?? '';
}

const manifests: readonly (readonly [string, PackageEntry])[] = listFiles()
  .filter((path) => /(^|\/)package\.json$/.test(path))
  .map((path) => [path, JSON.parse(readText(path))]);
/** Each lock file with its manifests, by the path that the lock file uses. */
const locks = ['', ...APART].map((folder) => ({
  path: `${folder}package-lock.json`,
  locked: JSON.parse(readText(`${folder}package-lock.json`)).packages as LockedPackages,
  manifests: Object.fromEntries(
    manifests
      .filter(([path]) => lockFolder(path) === folder)
      .map(([path, manifest]) => [path.slice(folder.length), manifest]),
  ),
}));

test.each(locks)('[P15] $path names no registry', ({ locked }) => {
  expect(Object.keys(locked).length).toBeGreaterThan(50);
  expect(checkNoRegistry(locked)).toEqual([]);
});

test('[P15] a registry address in the lock file is reported, a workspace is not', () => {
  const packages = {
    'node_modules/a': { resolved: 'https://registry.example/a.tgz' },
    'node_modules/b': { resolved: 'packages/b' },
  };
  expect(checkNoRegistry(packages)).toEqual(['node_modules/a: resolved to https://registry.example/a.tgz']);
});

test.each(locks)(
  '[P16] $path contains every dependency, including those for other platforms',
  ({ locked }) => {
    expect(checkComplete(locked)).toEqual([]);
  },
);

test.each<readonly [LockedPackages, readonly string[]]>([
  [{ '': { devDependencies: { a: '1.0.0' } } }, ['the root: a is not in the lock file']],
  [
    { 'node_modules/a': { optionalDependencies: { 'a-mac': '1.0.0' } } },
    ['node_modules/a: a-mac is not in the lock file'],
  ],
  [
    { 'node_modules/a': { dependencies: { b: '^1' } }, 'node_modules/c/node_modules/b': {} },
    ['node_modules/a: b is not in the lock file'],
  ],
  [{ 'node_modules/a': { dependencies: { b: '^1' } }, 'node_modules/a/node_modules/b': {} }, []],
  [
    {
      'node_modules/x/node_modules/@s/a': { dependencies: { b: '^1' } },
      'node_modules/x/node_modules/b': {},
    },
    [],
  ],
  [{ 'packages/p': { dependencies: { b: '1.0.0' } }, 'node_modules/b': {} }, []],
])('[P16] the problems of %j are %j', (packages, problems) => {
  expect(checkComplete(packages)).toEqual(problems);
});

test.each(locks)('[P16] $path has the dependencies of its manifests', (lock) => {
  expect(checkInStep(lock.manifests, lock.locked)).toEqual([]);
});

test.each<readonly [PackageEntry, number]>([
  [{ dependencies: { a: '1.0.0' } }, 0],
  [{ dependencies: { a: '1.0.1' } }, 1],
  [{ dependencies: { a: '1.0.0', b: '1.0.0' } }, 1],
  [{ devDependencies: { a: '1.0.0' } }, 1],
  [{}, 1],
])(
  '[P16] for the manifest %j, a lock file with a dependency on version 1.0.0 of a has %d problems',
  (manifest, count) => {
    const packages = { 'packages/p': { dependencies: { a: '1.0.0' } } };
    expect(checkInStep({ 'packages/p/package.json': manifest }, packages)).toHaveLength(count);
  },
);

test.each(manifests)('[P17] %s uses exact versions', (_path, manifest) => {
  expect(checkExactVersions(manifest)).toEqual([]);
});

test.each([['^1.0.0'], ['~1.0.0'], ['1.x'], ['*'], ['latest'], ['>=1.0.0']])(
  '[P17] %s is not an exact version',
  (version) => {
    expect(checkExactVersions({ devDependencies: { a: version } })).toHaveLength(1);
  },
);

test.each(manifests)('[P18] every dependency of %s has a note', (_path, manifest) => {
  expect(checkListed(manifest, readText('docs/decisions/dependencies.md'))).toEqual([]);
});

test('[P18] a dependency without a note is reported', () => {
  expect(
    checkListed({ dependencies: { a: '1.0.0', 'a-b': '1.0.0' } }, '| package |\n| `a-b` | why |\n'),
  ).toEqual(['a has no note']);
});

test('[P19] core has no dependencies', () => {
  const core = manifests.find(([path]) => path === 'packages/core/package.json')?.[1];
  expect(core).toBeDefined();
  expect(core?.dependencies).toBeUndefined();
});

test.each(manifests)('[P20] %s names the license', (_path, manifest) => {
  expect(manifest.license).toBe('Apache-2.0');
});

test('[P25] the official clients and the other suites use the same version of the SDK', () => {
  const [own, other] = ['conformance/package.json', `${CLIENTS}package.json`].map(
    (path) => JSON.parse(readText(path)).dependencies.firebase,
  );
  expect(own).toBe(other);
});
