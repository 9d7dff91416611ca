import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from './repository.ts';

/**
 * A repository with the real scripts, an up-to-date install, and a program that prints its arguments in place
 * of the server.
 */
const folder = mkdtempSync(join(tmpdir(), 'hearth-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SERVER = `
if (process.argv[2] === 'where') {
  console.log(JSON.stringify([process.cwd(), ...process.argv.slice(3)]));
  process.exit(3);
}
const port: string = process.argv[process.argv.indexOf('--port') + 1] ?? '';
const stay = setInterval(() => {}, 1000);
process.once('SIGTERM', () => clearInterval(stay));
console.log(JSON.stringify(process.argv.slice(2)));
if (port === 'bad') process.exit(2);
`;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
write('package.json', '{ "type": "module" }');
write('package-lock.json', '{ "packages": {} }');
write('node_modules/.package-lock.json', '{ "packages": {} }');
// A package that is not installed and cannot be installed.
write(
  'conformance/clients/package-lock.json',
  '{ "packages": { "node_modules/client": { "version": "1.0.0" } } }',
);
write('packages/server/src/cli/main.ts', SERVER);

/**
 * `in place`: the Node that runs the script can also run the server. `by the pinned Node`: without
 * `--conditions=source`, the script must start another Node.
 */
const COMMANDS = [
  ['in place', '--conditions=source'],
  ['by the pinned Node', ''],
] as const;

function start(nodeOptions: string, args: readonly string[]) {
  const env = { ...process.env, NODE_OPTIONS: nodeOptions };
  return spawn(process.execPath, ['scripts/start.mjs', ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test.each(COMMANDS)(
  '[P23][P24] served %s, options reach the server, and SIGTERM ends it with exit code 0',
  async (_command, nodeOptions) => {
    const child = start(nodeOptions, ['--port', '0', '--data', 'a folder']);
    const [output] = await once(child.stdout, 'data');
    expect(String(output)).toBe('["dev","--port","0","--data","a folder"]\n');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  },
);

test.each(COMMANDS)("[P23] served %s, the exit code is the server's", async (_command, nodeOptions) => {
  expect(await once(start(nodeOptions, ['--port', 'bad']), 'exit')).toEqual([2, null]);
});

test('[H199] a command of npm run hearth runs in the directory where npm was called', async () => {
  const called = join(folder, 'packages');
  const child = spawn(process.execPath, ['scripts/hearth.mjs', 'where', '--now'], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '', INIT_CWD: called },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [[output], end] = await Promise.all([once(child.stdout, 'data'), once(child, 'exit')]);
  expect(String(output)).toBe(`${JSON.stringify([called, '--now'])}\n`);
  expect(end).toEqual([3, null]);
});
