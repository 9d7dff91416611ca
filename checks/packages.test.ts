import { expect, test } from 'vitest';
import {
  checkComplete,
  checkExactVersions,
  checkInStep,
  checkNoRegistry,
  checkNoted,
  type LockedPackages,
  type PackageEntry,
} from './packages.ts';
import { listFiles, readText } from './repository.ts';

const locked: LockedPackages = JSON.parse(readText('package-lock.json')).packages;
const manifests: readonly (readonly [string, PackageEntry])[] = listFiles()
  .filter((path) => /(^|\/)package\.json$/.test(path))
  .map((path) => [path, JSON.parse(readText(path))]);

test('[P15] the lock file names no registry', () => {
  expect(Object.keys(locked).length).toBeGreaterThan(100);
  expect(checkNoRegistry(locked)).toEqual([]);
});

test('[P15] an address in the lock file is found; a workspace is not one', () => {
  const packages = {
    'node_modules/a': { resolved: 'https://registry.example/a.tgz' },
    'node_modules/b': { resolved: 'packages/b' },
  };
  expect(checkNoRegistry(packages)).toEqual(['node_modules/a: resolved to https://registry.example/a.tgz']);
});

test('[P16] the lock file holds every dependency, those for other platforms too', () => {
  expect(checkComplete(locked)).toEqual([]);
});

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
])('[P16] of %j the problems are %j', (packages, problems) => {
  expect(checkComplete(packages)).toEqual(problems);
});

test('[P16] the lock file was made for the manifests', () => {
  expect(checkInStep(Object.fromEntries(manifests), locked)).toEqual([]);
});

test.each<readonly [PackageEntry, number]>([
  [{ dependencies: { a: '1.0.0' } }, 0],
  [{ dependencies: { a: '1.0.1' } }, 1],
  [{ dependencies: { a: '1.0.0', b: '1.0.0' } }, 1],
  [{ devDependencies: { a: '1.0.0' } }, 1],
  [{}, 1],
])('[P16] a lock file for a 1.0.0 and the manifest %j: %d problems', (manifest, count) => {
  const packages = { 'packages/p': { dependencies: { a: '1.0.0' } } };
  expect(checkInStep({ 'packages/p/package.json': manifest }, packages)).toHaveLength(count);
});

test.each(manifests)('[P17] %s asks for exact versions', (_path, manifest) => {
  expect(checkExactVersions(manifest)).toEqual([]);
});

test.each([['^1.0.0'], ['~1.0.0'], ['1.x'], ['*'], ['latest'], ['>=1.0.0']])(
  '[P17] %s is not exact',
  (version) => {
    expect(checkExactVersions({ devDependencies: { a: version } })).toHaveLength(1);
  },
);

test.each(manifests)('[P18] the dependencies of %s have notes', (_path, manifest) => {
  expect(checkNoted(manifest, readText('docs/decisions/dependencies.md'))).toEqual([]);
});

test('[P18] a dependency without a note is found', () => {
  expect(
    checkNoted({ dependencies: { a: '1.0.0', 'a-b': '1.0.0' } }, '| package |\n| `a-b` | why |\n'),
  ).toEqual(['a has no note']);
});

test('[P19] core has no dependencies', () => {
  const core = manifests.find(([path]) => path === 'packages/core/package.json')?.[1];
  expect(core).toBeDefined();
  expect(core?.dependencies).toBeUndefined();
});

test.each(manifests)('[P20] %s names the licence', (_path, manifest) => {
  expect(manifest.license).toBe('Apache-2.0');
});
