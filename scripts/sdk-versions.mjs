// `npm run sdk-versions -- <version> …`: runs the tests of the client package with other versions of the official
// SDK, and exits with 1 if the tests fail with one of these. `packages/client/package.json` accepts the versions with
// which this script has passed.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PINNED_NODE, ROOT } from './paths.mjs';
import { runChild } from './run-child.mjs';

/** Excludes the test of the package's size, which does not depend on the SDK and needs a bundler. */
const CONFIG = `export default {
  resolve: { conditions: ['source', 'module', 'node', 'development|production'] },
  ssr: { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } },
  test: { include: ['src/**/*.test.ts'], exclude: ['src/size.test.ts'], testTimeout: 60_000 },
};
`;

/** Packages that the tests need besides the SDK. They are linked to those that this repository has installed. */
const TOOLS = ['vitest', '@types/node'];

/** @param {string} version @returns {Promise<boolean>} false if the install, the type check or a test fails */
async function passes(version) {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-sdk-'));
  try {
    const client = join(folder, 'packages/client');
    mkdirSync(client, { recursive: true });
    cpSync(`${ROOT}tsconfig.base.json`, join(folder, 'tsconfig.base.json'));
    for (const name of ['src', 'README.md', 'package.json', 'tsconfig.json', 'tsconfig.build.json'])
      cpSync(`${ROOT}packages/client/${name}`, join(client, name), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    writeFileSync(join(client, 'vitest.config.mjs'), CONFIG);
    const install = ['install', '--no-audit', '--no-fund', '--loglevel=error', `firebase@${version}`];
    if (!(await run('npm', install, folder))) return false;
    mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
    for (const name of TOOLS) {
      rmSync(join(folder, 'node_modules', name), { recursive: true, force: true });
      symlinkSync(`${ROOT}node_modules/${name}`, join(folder, 'node_modules', name));
    }
    const types = [`${ROOT}node_modules/typescript/bin/tsc`, '-p', 'tsconfig.build.json', '--noEmit'];
    const tests = [
      '--conditions=source',
      `${ROOT}node_modules/vitest/vitest.mjs`,
      'run',
      '--reporter=verbose',
      '--root',
      client,
    ];
    return (await run(PINNED_NODE, types, client)) && (await run(PINNED_NODE, tests, client));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} command @param {readonly string[]} args @param {string} cwd */
async function run(command, args, cwd) {
  const { code } = await runChild(command, args, { cwd, stdio: ['ignore', 2, 2] });
  return code === 0;
}

for (const version of process.argv.slice(2)) {
  const isGood = await passes(version);
  process.stdout.write(`firebase ${version}: ${isGood ? 'passed' : 'FAILED'}\n`);
  if (!isGood) process.exitCode = 1;
}
