import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROCESS_LIMIT_MS, ProgramRunner, printed, ready, stop } from './program.fixture.ts';

let program: ProgramRunner;
beforeEach(() => {
  program = new ProgramRunner();
});
afterEach(() => program[Symbol.dispose]());

const CLOSED = '{"rules": {".read": false, ".write": false}}';

test(
  '[H170][H172][H173][H174][H175] inside a Firebase project, the rules of the project take effect, and are reloaded when their file changes',
  async () => {
    writeFileSync(program.path('firebase.json'), '{"database": {"rules": "r.json"}} // mine');
    writeFileSync(program.path('.firebaserc'), '{"projects": {"default": "shop"}}');
    writeFileSync(program.path('r.json'), CLOSED);
    const inside = program.path('web');
    mkdirSync(inside);
    const server = program.runIn(inside, 'dev', '--port', '0');
    const url = await ready(server);
    const read = async (database: string): Promise<number> =>
      (await fetch(`${url}/.json?ns=${database}`)).status;
    expect(await Promise.all(['shop-default-rtdb', 'shop', 'other'].map(read))).toEqual([401, 401, 200]);
    expect(server.output.stderr).toContain('Project   shop, from ');
    writeFileSync(program.path('r.json'), '{"rules": {\n  ".read": 5,\n  "a": 6\n}}');
    await printed(server, 'stderr', /r\.json:2:12: [^\n]+\n[^\n]+r\.json:3:8: [^\n]+\n[^\n]+stay unchanged/);
    expect(await read('shop')).toBe(401);
    writeFileSync(program.path('r.json'), '{"rules": {".read": true}}');
    await printed(server, 'stderr', /published for[\s\S]*published for/);
    expect(await Promise.all(['shop-default-rtdb', 'shop'].map(read))).toEqual([200, 200]);
    expect((await stop(server)).code).toBe(0);
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H171] an error in firebase.json is reported with its position, and no file is changed',
  async () => {
    writeFileSync(program.path('firebase.json'), '{\n  "database": nope\n}');
    const { code, stdout, stderr } = await program.run('dev', '--port', '0').ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^hearth: firebase\.json:2:15: [^\n]+\n$/);
    expect(readdirSync(program.directory)).toEqual(['firebase.json']);
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H177][H178][H179] the server starts with the data of an emulator suite export, and writes such an export on exit',
  async () => {
    const first = await program.serve('--data', 'a', '--import', 'export', '--export-on-exit');
    const value = '{"a":{".value":1,".priority":"p"}}';
    await fetch(`${first.url}/.json?ns=one`, { method: 'PUT', body: value });
    await fetch(`${first.url}/.json?ns=empty`, { method: 'PUT', body: '1' });
    await fetch(`${first.url}/.json?ns=empty`, { method: 'DELETE' });
    expect((await stop(first.server)).code).toBe(0);
    expect(readdirSync(program.path('export/database_export'))).toEqual(['one.json']);
    expect(readFileSync(program.path('export/database_export/one.json'), 'utf8')).toBe(value);

    const metadata = program.path('export/firebase-export-metadata.json');
    const others = { version: '9', auth: { version: '9', path: 'auth_export' } };
    writeFileSync(metadata, JSON.stringify({ ...others, database: { path: 'database_export' } }));
    mkdirSync(program.path('export/auth_export'));
    const second = await program.serve('--data', 'b', '--import', 'export', '--export-on-exit');
    expect(await (await fetch(`${second.url}/.json?ns=one&format=export`)).text()).toBe(value);
    await fetch(`${second.url}/.json?ns=one`, { method: 'PUT', body: '"later"' });
    expect((await stop(second.server)).code).toBe(0);
    expect(JSON.parse(readFileSync(metadata, 'utf8'))).toMatchObject({
      ...others,
      database: { path: 'database_export' },
    });
    expect(readdirSync(program.path('export')).sort()).toEqual([
      'auth_export',
      'database_export',
      'firebase-export-metadata.json',
    ]);
    expect(readFileSync(program.path('export/database_export/one.json'), 'utf8')).toBe('"later"');
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H177] a directory that is not an emulator suite export, or an export with invalid JSON, prevents the start',
  async () => {
    mkdirSync(program.path('export/database_export'), { recursive: true });
    const start = () => program.run('dev', '--port', '0', '--import', 'export').ended;
    expect(await start()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/contains no emulator suite export/),
    });
    writeFileSync(
      program.path('export/firebase-export-metadata.json'),
      '{"database": {"path": "database_export"}}',
    );
    writeFileSync(program.path('export/database_export/one.json'), '{"a": 1');
    const { code, stderr } = await start();
    expect(code).toBe(2);
    expect(stderr).toMatch(/^hearth: \S+one\.json: .*at line 1, column 8 \(byte 7\)\.\n$/);
    const alone = await program.run('dev', '--port', '0', '--export-on-exit').ended;
    expect(alone).toMatchObject({ code: 2, stderr: expect.stringMatching(/needs a directory/) });
    expect(existsSync(program.path('export/database_export.unfinished'))).toBe(false);
  },
  PROCESS_LIMIT_MS,
);
