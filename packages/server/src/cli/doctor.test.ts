import { chmodSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { declareFree } from '../storage/kv/free-page-damage.fixture.ts';
import { PROCESS_LIMIT_MS, ProgramRunner, stop } from './program.fixture.ts';

let program: ProgramRunner;
beforeEach(() => {
  program = new ProgramRunner();
});
afterEach(() => program[Symbol.dispose]());

test(
  '[H185][H186][H188][H510] doctor finds no problem in an intact directory, prints text or JSON, and changes nothing',
  async () => {
    const { server, url } = await program.serve('--data', 'data');
    const list = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [`k${i}`, { '.priority': i, a: 'x'.repeat(50) }]),
    );
    for (const database of ['one', 'two'])
      await fetch(`${url}/.json?ns=${database}`, { method: 'PUT', body: JSON.stringify({ list }) });
    await stop(server);
    chmodSync(program.path('data'), 0o755);
    chmodSync(program.path('data/data.mdb'), 0o644);
    const before = readFileSync(program.path('data/data.mdb'));
    const { code, stdout, stderr } = await program.run('doctor', '--data', 'data').ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ok +marker +\S+data is a Hearth data directory\.\n/);
    expect(stdout).toMatch(/\nwarning +permissions +Other users .*: chmod 700 /);
    expect(stdout).toMatch(
      /\nwarning +permissions +Other users can access the data file .*: chmod 600 \S+data\.mdb\n/,
    );
    expect(stdout).toMatch(/\nok +lock +No process uses the data directory\.\n/);
    expect(stdout).toMatch(
      /\nok +pages +The data file has \d+ pages, \d+ of them free\. Each of the others is used exactly once\.\n/,
    );
    expect(stdout).toMatch(/\nok +data +All \d+ entries of 2 databases can be read and are consistent\.\n/);
    expect(stdout).toMatch(/\n\nNo problems found, but 2 warnings\.\n$/);
    const json = await program.run('doctor', '--data', 'data', '--json').ended;
    expect(JSON.parse(json.stdout)).toMatchObject({
      sound: true,
      findings: expect.arrayContaining([
        { verdict: 'ok', check: 'log', message: '2 commits stored, without gaps.' },
      ]),
    });
    expect(readFileSync(program.path('data/data.mdb')).equals(before)).toBe(true);
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H185] doctor reports damage in the middle of the file, even if every process that reads the damaged part crashes',
  async () => {
    const { server, url } = await program.serve('--data', 'data');
    const list = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`k${i}`, 'x'.repeat(200)]));
    await fetch(`${url}/.json`, { method: 'PUT', body: JSON.stringify({ list }) });
    await stop(server);
    const file = program.path('data/data.mdb');
    const bytes = readFileSync(file);
    const PAGE_BYTES = 4_096;
    // The first two pages stay intact: they locate all others.
    bytes.fill(0xa5, 2 * PAGE_BYTES, bytes.length - PAGE_BYTES);
    writeFileSync(file, bytes);
    const { code, stdout } = await program.run('doctor', '--data', 'data').ended;
    expect(code).toBe(1);
    expect(stdout).toMatch(/\nproblem +store +The data file .*hearth restore/);
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H506] doctor finds a page that is both used and free, before it is overwritten',
  async () => {
    const { server, url } = await program.serve('--data', 'data');
    for (let value = 0; value < 20; value += 1)
      await fetch(`${url}/a.json`, { method: 'PUT', body: JSON.stringify(value) });
    await stop(server);
    declareFree(program.path('data/data.mdb'), 0);
    const { code, stdout } = await program.run('doctor', '--data', 'data').ended;
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /\nproblem +pages +The data file is damaged: page 0 is used twice: .*hearth restore/,
    );
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H185] doctor reports damage with a suggested fix, and exits with code 2 if there is no data directory',
  async () => {
    const { server, url } = await program.serve('--data', 'data');
    await fetch(`${url}/.json`, { method: 'PUT', body: JSON.stringify('x'.repeat(100_000)) });
    await stop(server);
    const file = program.path('data/data.mdb');
    truncateSync(file, statSync(file).size - 8_192);
    const { code, stdout } = await program.run('doctor', '--data', 'data').ended;
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /\nproblem +file +The data file is truncated to \d+ of \d+ bytes\. .*hearth restore/,
    );
    expect(stdout).toMatch(/\n\nFound 1 problem and 0 warnings\.\n$/);
    writeFileSync(program.path('notes'), 'x');
    for (const data of ['missing', 'notes', '.'])
      expect(await program.run('doctor', '--data', data).ended).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^hearth: [^\n]+--data\.\n$/),
      });
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H321] doctor reports an empty data file as a problem, and backup fails because there is nothing to back up',
  async () => {
    const { server } = await program.serve('--data', 'data');
    await stop(server);
    truncateSync(program.path('data/data.mdb'), 0);
    const { code, stdout, stderr } = await program.run('doctor', '--data', 'data').ended;
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/\nproblem +file +The data file is empty: [^\n]+hearth restore/);
    expect(await program.run('backup', 'copy', '--data', 'data').ended).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^hearth: [^\n]+ nothing to back up\.\n$/),
    });
  },
  PROCESS_LIMIT_MS,
);
