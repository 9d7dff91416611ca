import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROCESS_LIMIT_MS, ProgramRunner, stop } from './program.fixture.ts';

let program: ProgramRunner;
beforeEach(() => {
  program = new ProgramRunner();
});
afterEach(() => program[Symbol.dispose]());

/**
 * Increments two counters in one commit per iteration, one of them deep in a large node, until `isOver`
 * returns true. Returns the number of commits.
 */
async function countUp(url: string, isOver: () => boolean): Promise<number> {
  let count = 0;
  for (; !isOver(); count += 1) {
    const body = JSON.stringify({
      'list/k7/count': count + 1,
      other: count + 1,
      [`log/${count}`]: 'x'.repeat(500),
    });
    expect((await fetch(`${url}/.json?ns=busy`, { method: 'PATCH', body })).status).toBe(200);
  }
  return count;
}

function modeOf(name: string): number {
  return statSync(program.path(name)).mode & 0o777;
}

async function readJson(url: string, location: string): Promise<unknown> {
  return (await fetch(`${url}/${location}.json?ns=busy`)).json();
}

test(
  '[H180][H182][H186][H388] a backup under load is one consistent state, and a server can start from the restored copy',
  async () => {
    const { server, url } = await program.serve('--data', 'data');
    const list = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, i) => [`k${i}`, { text: 'y'.repeat(100) }]),
    );
    const body = JSON.stringify({ list, other: 0 });
    await fetch(`${url}/.json?ns=busy`, { method: 'PUT', body });
    let isOver = false;
    const written = countUp(url, () => isOver);
    const backup = await program.run('backup', 'copy', '--data', 'data').ended;
    const doctor = await program.run('doctor', '--data', 'data').ended;
    isOver = true;
    expect(backup).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Backed up 1 database /) });
    expect(doctor).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/A process uses the data directory.*\n/),
    });
    expect(await written).toBeGreaterThan(0);
    await stop(server);
    expect(readdirSync(program.path('copy')).sort()).toEqual(['backup.json', 'data.mdb', 'hearth.json']);

    expect(modeOf('copy/data.mdb')).toBe(0o600);

    mkdirSync(program.path('again'), { mode: 0o755 });
    chmodSync(program.path('copy/data.mdb'), 0o644);
    const restored = await program.run('restore', 'copy', '--data', 'again').ended;
    expect(modeOf('again/data.mdb')).toBe(0o600);
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Restored 1 database /) });
    const second = await program.serve('--data', 'again');
    const count = (await readJson(second.url, 'other')) as number;
    expect(await readJson(second.url, 'list/k7/count')).toBe(count === 0 ? null : count);
    const log = (await readJson(second.url, 'log')) as readonly unknown[] | null;
    expect(Object.keys(log ?? [])).toHaveLength(count);
    expect((await stop(second.server)).code).toBe(0);
    expect(await program.run('doctor', '--data', 'again').ended).toMatchObject({ code: 0 });
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H181][H182][H183] backup and restore overwrite nothing, and a backup that has changed is rejected',
  async () => {
    const { server, url } = await program.serve('--data', 'data');
    await fetch(`${url}/.json`, { method: 'PUT', body: '"kept"' });
    await stop(server);
    mkdirSync(program.path('full'));
    writeFileSync(program.path('full/notes'), 'x');
    const run = (...args: readonly string[]) => program.run(...args).ended;
    expect(await run('backup', 'full', '--data', 'data')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^hearth: \S+full already exists\. [^\n]+\n$/),
    });
    expect(await run('backup', 'copy', '--data', 'missing')).toMatchObject({ code: 2 });
    expect(await run('restore', 'full', '--data', 'new')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is not a complete Hearth backup/),
    });
    expect((await run('backup', 'copy', '--data', 'data')).code).toBe(0);
    expect(await run('restore', 'copy', '--data', 'data')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/data is not empty/),
    });
    mkdirSync(program.path('full/data.mdb'));
    copyFileSync(program.path('copy/backup.json'), program.path('full/backup.json'));
    expect(await run('restore', 'full', '--data', 'new')).toMatchObject({
      code: 1,
      stderr: 'hearth: The backup has no data.mdb and is incomplete.\n',
    });
    appendFileSync(program.path('copy/data.mdb'), 'x');
    expect(await run('restore', 'copy', '--data', 'new')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^hearth: The backup has changed since it was written/),
    });
    expect(existsSync(program.path('new'))).toBe(false);
    expect(readFileSync(program.path('full/notes'), 'utf8')).toBe('x');
    expect(readdirSync(program.directory).sort()).toEqual(['copy', 'data', 'full']);
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H322][H323] an interrupted restore can be repeated, and no backup or data directory can be created inside another',
  async () => {
    const { server, url } = await program.serve('--data', 'data');
    await fetch(`${url}/.json`, { method: 'PUT', body: '"kept"' });
    await stop(server);
    const run = (...args: readonly string[]) => program.run(...args).ended;
    const inside = {
      code: 2,
      stderr: expect.stringMatching(/^hearth: \S+ is inside \S+, which contains [^\n]+\n$/),
    };
    symlinkSync(program.path('data'), program.path('link'));
    for (const location of ['data/copy', 'data/a/b', 'link/copy'])
      expect(await run('backup', location, '--data', 'data'), location).toMatchObject(inside);
    expect((await run('backup', 'copy', '--data', 'data')).code).toBe(0);
    expect(await run('restore', 'copy', '--data', 'copy/again')).toMatchObject(inside);
    expect(await run('restore', 'copy', '--data', 'copy')).toMatchObject({ code: 2 });
    expect(readdirSync(program.path('data')).sort()).toEqual([
      'data.mdb',
      'hearth.json',
      'lock',
      'lock.mdb',
      'secret.key',
    ]);

    mkdirSync(program.path('again/restore.unfinished'), { recursive: true });
    for (const name of ['data.mdb', 'hearth.json.new']) writeFileSync(program.path(`again/${name}`), 'x');
    expect(await run('restore', 'copy', '--data', 'again')).toMatchObject({ code: 0 });
    expect(readdirSync(program.path('again')).sort()).toEqual(['data.mdb', 'hearth.json']);
    expect(await run('doctor', '--data', 'again')).toMatchObject({ code: 0 });

    mkdirSync(program.path('other'));
    writeFileSync(program.path('other/data.mdb'), 'x');
    expect(await run('restore', 'copy', '--data', 'other')).toMatchObject({ code: 2 });
  },
  PROCESS_LIMIT_MS,
);
