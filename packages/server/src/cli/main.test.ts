import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROCESS_LIMIT_MS, ProgramRunner, ready } from './program.fixture.ts';

let program: ProgramRunner;
beforeEach(() => {
  program = new ProgramRunner();
});
afterEach(() => program[Symbol.dispose]());

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '[H43][H49][H40][H507][H522] the server serves until %s, keeps its data, and exits with code 0',
  async (signal) => {
    const first = program.run('dev', '--port', '0', '--data', 'data');
    const url = await ready(first);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(await (await fetch(`${url}/a.json`, { method: 'PUT', body: '1' })).text()).toBe('1');
    const foreign = await fetch(`${url}/a.json`, { headers: { origin: 'https://evil.example' } });
    expect([foreign.status, await foreign.text()]).toEqual([
      403,
      expect.stringContaining('--allow-host evil.example'),
    ]);
    first.child.kill(signal);
    const { code, stdout, stderr } = await first.ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: `ready ${url}\n` });
    expect(stderr).toContain('connectDatabaseEmulator');
    expect(stderr).toContain(`  Console   ${url}/console\n  Data      ${program.path('data')}\n`);
    const second = program.run('dev', '--port', '0', '--data', 'data');
    expect(await (await fetch(`${await ready(second)}/a.json`)).text()).toBe('1');
    second.child.kill(signal);
    expect((await second.ended).code).toBe(0);
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H48][H44] a second process cannot use the same directory, and a killed process releases it',
  async () => {
    const first = program.run('dev', '--port', '0', '--data', 'data');
    await ready(first);
    const second = await program.run('dev', '--port', '0', '--data', 'data').ended;
    expect(second).toMatchObject({ code: 2, stdout: '' });
    expect(second.stderr).toMatch(/^hearth: The data directory \S+ is in use by another process\. [^\n]+\n$/);
    first.child.kill('SIGKILL');
    await first.ended;
    const third = program.run('dev', '--port', '0', '--data', 'data');
    await ready(third);
    third.child.kill('SIGTERM');
    expect((await third.ended).code).toBe(0);
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H44] a port in use is reported before any file is changed',
  async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const { code, stdout, stderr } = await program.run('dev', '--port', port, '--data', 'data').ended;
    taken.close();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^hearth: Port \d+ is in use on 127\.0\.0\.1\. [^\n]+\n$/);
    expect(existsSync(program.path('data'))).toBe(false);
  },
  PROCESS_LIMIT_MS,
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
  '[H44][H46] %j prints one sentence and exits with code 2',
  async (args, sentence) => {
    const { code, stdout, stderr } = await program.run(...args).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/^hearth: [^\n]+\n$/);
    expect(readdirSync(program.directory)).toEqual([]);
  },
  PROCESS_LIMIT_MS,
);

test.each([
  [['--version'], /^\d+\.\d+\.\d+\n$/],
  [['--help'], /Usage: hearth/],
  [['dev', '--help'], /--max-body-bytes/],
])(
  '[H50] %j prints and exits with code 0',
  async (args, text) => {
    const { code, stdout, stderr } = await program.run(...args).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(text);
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H55] a damaged data file is reported in one sentence with exit code 2, and stays unchanged',
  async () => {
    const first = program.run('dev', '--port', '0', '--data', 'data');
    await ready(first);
    first.child.kill('SIGTERM');
    await first.ended;
    const file = program.path('data/data.mdb');
    const garbage = Buffer.alloc(20_000, 0x7a);
    writeFileSync(file, garbage);
    const { code, stdout, stderr } = await program.run('dev', '--port', '0', '--data', 'data').ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /^hearth: The data file in .* is damaged: it does not begin like an LMDB data file\. .*\n$/,
    );
    expect(readFileSync(file).equals(garbage)).toBe(true);
  },
  PROCESS_LIMIT_MS,
);
