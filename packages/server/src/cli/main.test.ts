import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const MAIN = join(import.meta.dirname, 'main.ts');
const START_LIMIT_MS = 30_000;

let base = '';
const children: ChildProcess[] = [];
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'hearth-cli-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(base, { recursive: true, force: true });
});

interface Run {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

function run(...args: readonly string[]): Run {
  const child = spawn(process.execPath, ['--conditions=source', MAIN, ...args], {
    cwd: base,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, ...output }));
  return { child, output, ended };
}

/** The address from the ready line. */
async function ready({ child, output }: Run): Promise<string> {
  for (;;) {
    const url = /^ready (\S+)\n/.exec(output.stdout)?.[1];
    if (url !== undefined) return url;
    if (child.exitCode !== null || child.stdout === null)
      throw new Error(`It did not start: ${output.stderr}`);
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  }
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '[H43][H49][H40] it serves until %s, keeps what it was given, and ends with 0',
  async (signal) => {
    const first = run('dev', '--port', '0', '--data', 'data');
    const url = await ready(first);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(await (await fetch(`${url}/a.json`, { method: 'PUT', body: '1' })).text()).toBe('1');
    first.child.kill(signal);
    const { code, stdout, stderr } = await first.ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: `ready ${url}\n` });
    expect(stderr).toContain('connectDatabaseEmulator');
    const second = run('dev', '--port', '0', '--data', 'data');
    expect(await (await fetch(`${await ready(second)}/a.json`)).text()).toBe('1');
    second.child.kill(signal);
    expect((await second.ended).code).toBe(0);
  },
  START_LIMIT_MS,
);

test(
  '[H48][H44] a second process on the same directory ends, and the directory outlives a kill',
  async () => {
    const first = run('dev', '--port', '0', '--data', 'data');
    await ready(first);
    const second = await run('dev', '--port', '0', '--data', 'data').ended;
    expect(second).toMatchObject({ code: 2, stdout: '' });
    expect(second.stderr).toMatch(/^hearth: The data directory \S+ is in use by another process: [^\n]+\n$/);
    first.child.kill('SIGKILL');
    await first.ended;
    const third = run('dev', '--port', '0', '--data', 'data');
    await ready(third);
    third.child.kill('SIGTERM');
    expect((await third.ended).code).toBe(0);
  },
  START_LIMIT_MS,
);

test(
  '[H44] a taken port is told before anything is touched',
  async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const { code, stdout, stderr } = await run('dev', '--port', port, '--data', 'data').ended;
    taken.close();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^hearth: Port \d+ is in use on 127\.0\.0\.1: [^\n]+\n$/);
    expect(existsSync(join(base, 'data'))).toBe(false);
  },
  START_LIMIT_MS,
);

test.each([
  [['dev', '--prt', '1'], /unknown option '--prt' \(Did you mean --port\?\)/],
  [['dev', '--port', 'x'], /--port must be a whole number/],
  [['dev', '--port'], /argument missing/],
  [['dev', 'now'], /too many arguments/],
  [['frob'], /unknown command 'frob'/],
  [['dev', '--port', '0', '--data', '/etc/hosts'], /is not a directory/],
  [['dev', '--host', '0.0.0.0'], /must be an address of this machine/],
])(
  '[H44][H46] %j ends with one sentence and 2',
  async (args, sentence) => {
    const { code, stdout, stderr } = await run(...args).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/^hearth: [^\n]+\n$/);
    expect(readdirSync(base)).toEqual([]);
  },
  START_LIMIT_MS,
);

test.each([
  [['--version'], /^\d+\.\d+\.\d+\n$/],
  [['--help'], /Usage: hearth/],
  [['dev', '--help'], /--max-body-bytes/],
])(
  '[H50] %j prints and ends with 0',
  async (args, text) => {
    const { code, stdout, stderr } = await run(...args).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(text);
  },
  START_LIMIT_MS,
);

test(
  '[H55] a damaged data file is one sentence and exit code 2, and stays as it was',
  async () => {
    const first = run('dev', '--port', '0', '--data', 'data');
    await ready(first);
    first.child.kill('SIGTERM');
    await first.ended;
    const file = join(base, 'data', 'data.mdb');
    const garbage = Buffer.alloc(20_000, 0x7a);
    writeFileSync(file, garbage);
    const { code, stdout, stderr } = await run('dev', '--port', '0', '--data', 'data').ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /^hearth: The data file in .* is damaged: it does not start as a data file does\. .*\n$/,
    );
    expect(readFileSync(file).equals(garbage)).toBe(true);
  },
  START_LIMIT_MS,
);
