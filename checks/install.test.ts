import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findStale, findUnpinned } from '../scripts/install.mjs';
import { ROOT } from './repository.ts';

const FAILED = 'The official clients for the tests could not be installed:';

const LOCKED = {
  '': { version: '1.0.0' },
  'packages/p': { version: '1.0.0' },
  'node_modules/p': { link: true },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/other-platform': { version: '1.0.0', optional: true },
};

test.each([
  ['an empty installation lacks the first package', {}, 'node_modules/p'],
  ['a missing package is found', { 'node_modules/p': { link: true } }, 'node_modules/a'],
  [
    'a package with another version is found',
    { 'node_modules/p': { link: true }, 'node_modules/a': { version: '0.9.0', integrity: 'sha512-a' } },
    'node_modules/a',
  ],
  [
    'a package with another content is found',
    { 'node_modules/p': { link: true }, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-b' } },
    'node_modules/a',
  ],
  [
    'a missing optional package is accepted',
    { 'node_modules/p': { link: true }, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } },
    undefined,
  ],
  [
    'an optional package with another version is found',
    { ...LOCKED, 'node_modules/other-platform': { version: '0.9.0' } },
    'node_modules/other-platform',
  ],
  ['an additional package is accepted', { ...LOCKED, 'node_modules/more': { version: '1.0.0' } }, undefined],
])('[P21] %s', (_case, installed, stale) => {
  expect(findStale(LOCKED, installed)).toBe(stale);
});

test.each([
  ['a package of this repository', { 'node_modules/p': { link: true } }, undefined],
  ['a package with the hash of the lock file', { 'node_modules/a': { integrity: 'sha512-a' } }, undefined],
  ['a package with another hash', { 'node_modules/a': { integrity: 'sha512-b' } }, 'node_modules/a'],
  [
    'a package that the lock file does not name',
    { 'node_modules/more': { integrity: 'sha512-c' } },
    'node_modules/more',
  ],
  ['a package without a hash', { 'node_modules/other-platform': {} }, 'node_modules/other-platform'],
])('[P49] with %s (%j), the unpinned package is %s', (_case, installed, unpinned) => {
  expect(findUnpinned(LOCKED, installed)).toBe(unpinned);
});

test.each(['', 'conformance/clients/', 'bench/peers/'])(
  '[P49] %spackage-lock.json pins every package with a hash, also those of other platforms',
  (folder) => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, folder, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, { readonly integrity?: string; readonly link?: boolean }>>;
    };
    const unpinned = Object.entries(packages)
      .filter(([path, { integrity, link }]) => path.startsWith('node_modules/') && !link && !integrity)
      .map(([path]) => path);
    expect(unpinned).toEqual([]);
  },
);

test('[P49] if the lock file has no hash of a package, the installation fails and names the package', () => {
  const npm = 'mkdir node_modules && cp package-lock.json node_modules/.package-lock.json';
  expect(installClients(npm, '')).toEqual({
    status: 1,
    lines: [`${FAILED} package-lock.json has no hash of node_modules/client, which npm installed.`],
  });
});

/**
 * Installs the clients in a new folder with the real scripts. Runs the shell script `npm` in place of npm. Returns the
 * exit code, and the printed lines after the first.
 */
function installClients(npm: string, hash = 'sha512-a') {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-install-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  mkdirSync(join(folder, 'conformance/clients'), { recursive: true });
  const client = `{ "version": "1.0.0"${hash === '' ? '' : `, "integrity": "${hash}"`} }`;
  const lock = `{ "packages": { "node_modules/client": ${client} } }`;
  writeFileSync(join(folder, 'conformance/clients/package-lock.json'), lock);
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\n${npm}\n`);
  chmodSync(join(folder, 'npm'), 0o755);
  const script = "import('./scripts/install.mjs').then((module) => module.installClients())";
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], {
    cwd: folder,
    env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
    encoding: 'utf8',
  });
  return { status, lines: stderr.trim().split('\n').slice(1) };
}

test.each([
  ['exit 3', 1, [`${FAILED} npm ci ended with code 3.`]],
  ['exit 0', 1, [`${FAILED} npm ci succeeded without installing node_modules.`]],
  [
    'mkdir node_modules && cp package-lock.json node_modules/.package-lock.json',
    0,
    ['Installed 1 package, each with the hash that package-lock.json names.'],
  ],
])(
  '[P21][P26] an installation of the clients whose npm runs %s has exit code %d and prints %j',
  (npm, status, lines) => {
    expect(installClients(npm)).toEqual({ status, lines });
  },
);
