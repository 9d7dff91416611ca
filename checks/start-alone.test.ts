import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from './repository.ts';

/** Counts its calls, waits until the test lets it go on, and then installs one package. */
const NPM = `#!/bin/sh
echo called >> calls
while [ ! -e go ]; do sleep 0.05; done
mkdir -p node_modules
cp package-lock.json node_modules/.package-lock.json
`;

const LOCK = '{ "packages": { "node_modules/a": { "version": "1.0.0", "integrity": "sha512-a" } } }';

/** Prints a line when it begins and one when it ends. */
const PREPARING = `import { setTimeout as pause } from 'node:timers/promises';
import { appendFileSync } from 'node:fs';
import { runAlone } from './scripts/run-alone.mjs';
await runAlone(async () => {
  appendFileSync('order', 'begins ');
  await pause(20);
  appendFileSync('order', 'ends ');
});
`;

/** A repository with the real scripts, without installed packages, and with a program in place of the server. */
function openRepository() {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-alone-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const at = (path: string): string => join(folder, path);
  for (const path of ['bin', 'docs/reference', 'packages/server/src/cli'])
    mkdirSync(at(path), { recursive: true });
  cpSync(join(ROOT, 'scripts'), at('scripts'), { recursive: true });
  cpSync(join(ROOT, 'docs/reference/cli.md'), at('docs/reference/cli.md'));
  writeFileSync(at('package.json'), '{ "type": "module" }');
  writeFileSync(at('package-lock.json'), LOCK);
  writeFileSync(at('packages/server/src/cli/main.ts'), "console.log('served');");
  writeFileSync(at('bin/npm'), NPM);
  chmodSync(at('bin/npm'), 0o755);
  const start = (...args: readonly string[]) => {
    const env = {
      ...process.env,
      NODE_OPTIONS: '--conditions=source',
      PATH: [at('bin'), process.env['PATH']].join(delimiter),
    };
    const child = spawn(process.execPath, ['scripts/start.mjs', ...args], { cwd: folder, env });
    const printed = { out: '', error: '' };
    child.stdout.on('data', (chunk) => {
      printed.out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      printed.error += chunk;
    });
    return { child, printed, closed: once(child, 'close') };
  };
  return { at, start, calls: () => (existsSync(at('calls')) ? readFileSync(at('calls'), 'utf8') : '') };
}

test('[P75] a request for help installs nothing, and prints the options', async () => {
  const { at, start, calls } = openRepository();
  const { printed, closed } = start('--help');
  expect(await closed).toEqual([0, null]);
  expect(printed.out).toMatch(/^Usage: npm start/);
  expect(printed.out).toMatch(/\n {2}--port <number> +port to listen on/);
  expect([calls(), existsSync(at('node_modules'))]).toEqual(['', false]);
});

test('[P76] of two starts at the same time, one installs, and the other waits for it', async () => {
  const { at, start, calls } = openRepository();
  const first = start();
  await expect.poll(calls).toBe('called\n');
  const second = start();
  await expect.poll(() => second.printed.error).toContain('Waiting for another command');
  writeFileSync(at('go'), '');
  expect(await first.closed).toEqual([0, null]);
  expect(await second.closed).toEqual([0, null]);
  expect([first.printed.out, second.printed.out, calls()]).toEqual(['served\n', 'served\n', 'called\n']);
  expect(existsSync(at('.preparing'))).toBe(false);
});

test('[P76] no command waits for the lock of a command that was killed', async () => {
  const { at, start, calls } = openRepository();
  const killed = start();
  await expect.poll(calls).toBe('called\n');
  const exited = once(killed.child, 'exit');
  killed.child.kill('SIGKILL');
  await exited;
  expect(existsSync(at('.preparing'))).toBe(true);
  // Its npm goes on, and ends before the test does.
  writeFileSync(at('go'), '');
  await expect.poll(() => existsSync(at('node_modules/.package-lock.json'))).toBe(true);
  await killed.closed;
  const { printed, closed } = start();
  expect(await closed).toEqual([0, null]);
  expect(printed.out).toBe('served\n');
});

test('[P76] of many commands that find the lock of a killed command, one at a time continues', async () => {
  const { at } = openRepository();
  const ended = spawn(process.execPath, ['--version']);
  await once(ended, 'close');
  writeFileSync(at('.preparing'), String(ended.pid));
  writeFileSync(at('prepare.mjs'), PREPARING);
  const commands = Array.from({ length: 6 }, () =>
    once(spawn(process.execPath, ['prepare.mjs'], { cwd: at('') }), 'close'),
  );
  expect(await Promise.all(commands)).toEqual(commands.map(() => [0, null]));
  expect(readFileSync(at('order'), 'utf8')).toBe('begins ends '.repeat(commands.length));
  expect([existsSync(at('.preparing')), existsSync(at('.preparing.removal'))]).toEqual([false, false]);
});

test('[P76] no command waits for an interrupted removal of a lock', async () => {
  const { at } = openRepository();
  for (const name of ['.preparing', '.preparing.removal']) {
    writeFileSync(at(name), '');
    utimesSync(at(name), 0, 0);
  }
  writeFileSync(at('prepare.mjs'), PREPARING);
  const [code] = await once(spawn(process.execPath, ['prepare.mjs'], { cwd: at('') }), 'close');
  expect([code, readFileSync(at('order'), 'utf8')]).toEqual([0, 'begins ends ']);
});
