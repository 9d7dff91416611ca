import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from './repository.ts';

/**
 * A fake builder: counts its runs in a file next to itself, and builds a page unless a source named `broken` exists.
 */
const BUILDER = `
const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require('node:fs');
appendFileSync(__dirname + '/runs', '.');
if (existsSync('src/broken.ts')) process.exit(3);
mkdirSync('dist', { recursive: true });
writeFileSync('dist/action.html', '');
`;

/** Creates a repository with the real scripts and the fake builder. */
function openRepository() {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-build-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
  write('package-lock.json', '{}');
  write('tsconfig.base.json', '{}');
  write('packages/pages/vite.config.ts', '');
  write('packages/pages/src/main.ts', 'one');
  write('packages/client/src/captcha/solve.ts', 'one');
  write('node_modules/vite/bin/package.json', '{ "type": "commonjs" }');
  write('node_modules/vite/bin/vite.js', BUILDER);
  write('node_modules/vite/bin/runs', '');
  write('package.json', '{}');
  const build = () => {
    const script = "import('./scripts/build-pages.mjs').then((module) => module.buildPages())";
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], {
      cwd: folder,
      encoding: 'utf8',
    });
    const { length: runs } = readFileSync(join(folder, 'node_modules/vite/bin/runs'), 'utf8');
    return { status, runs, stdout, printed: stderr.trim().split('\n').at(-1) };
  };
  return { folder, write, build };
}

test('[I178] pages are built once, and again after a source or the lock file changes', () => {
  const { folder, write, build } = openRepository();
  expect(build()).toMatchObject({ status: 0, runs: 1, stdout: '' });
  expect(build()).toMatchObject({ status: 0, runs: 1 });
  write('packages/pages/src/main.ts', 'two');
  expect(build()).toMatchObject({ runs: 2 });
  write('packages/pages/src/other.ts', '');
  expect(build()).toMatchObject({ runs: 3 });
  rmSync(join(folder, 'packages/pages/src/other.ts'));
  write('package-lock.json', '{ "changed": true }');
  expect(build()).toMatchObject({ runs: 4 });
  rmSync(join(folder, 'packages/pages/dist'), { recursive: true });
  expect(build()).toMatchObject({ runs: 5 });
  write('packages/client/src/captcha/solve.ts', 'two');
  expect(build()).toMatchObject({ runs: 6 });
});

test('[I178] a new test or fixture causes no build', () => {
  const { write, build } = openRepository();
  build();
  write('packages/pages/src/main.test.ts', 'test');
  write('packages/pages/src/main.fixtures.ts', 'fixtures');
  expect(build()).toMatchObject({ runs: 1 });
});

test('[I178] a failed build is explained in one sentence, and the next run builds again', () => {
  const { folder, write, build } = openRepository();
  write('packages/pages/src/broken.ts', '');
  const failure = { status: 3, printed: 'The pages could not be built: vite ended with code 3.' };
  expect(build()).toMatchObject({ ...failure, runs: 1 });
  expect(build()).toMatchObject({ ...failure, runs: 2 });
  rmSync(join(folder, 'packages/pages/src/broken.ts'));
  expect(build()).toMatchObject({ status: 0, runs: 3 });
});

test('[I178] without sources, no pages are built', () => {
  const { folder, build } = openRepository();
  rmSync(join(folder, 'packages/pages'), { recursive: true });
  expect(build()).toMatchObject({ status: 0, runs: 0 });
});
