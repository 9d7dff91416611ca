import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROCESS_LIMIT_MS, ProgramRunner, stop } from '../program.fixture.ts';

let program: ProgramRunner;
beforeEach(() => {
  program = new ProgramRunner();
});
afterEach(() => program[Symbol.dispose]());

const RULES = `{"rules": {"rooms": {"$room": {
  ".read": "data.child('open').val() == true",
  ".write": "auth != null",
  "name": {".validate": "newData.isString() && newData.val().length < 10"}
}}}}`;
const DRAFT = RULES.replace('"auth != null"', '"!data.exists()"');
const NAMESPACE = 'ns=demo-default-rtdb';

/** Returns an unsigned token, as the emulator accepts. */
function tokenOf(uid: string): string {
  const part = (json: unknown): string => Buffer.from(JSON.stringify(json)).toString('base64url');
  return `${part({ alg: 'none', typ: 'JWT' })}.${part({ sub: uid, user_id: uid })}.`;
}

async function statusOf(url: string, path: string, init: RequestInit, uid?: string): Promise<number> {
  const auth = uid === undefined ? '' : `&auth=${tokenOf(uid)}`;
  const answer = await fetch(`${url}${path}.json?${NAMESPACE}${auth}`, init);
  await answer.arrayBuffer();
  return answer.status;
}

/** Listens at a path by WebSocket as an anonymous client. Returns the server's response. */
async function listen(url: string, path: string): Promise<unknown> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/.ws?v=5&${NAMESPACE}`);
  await once(socket, 'message');
  socket.send(JSON.stringify({ t: 'd', d: { r: 1, a: 'q', b: { p: path, h: '' } } }));
  const [message] = await once(socket, 'message');
  socket.close();
  return JSON.parse(message.data);
}

test(
  '[H306] the commands list and explain denials, test a draft with recorded operations, publish the draft and roll it back',
  async () => {
    const { server, url } = await program.serve('--data', program.path('data'));
    const rules = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await program.run('rules', ...args).ended;
      return { code, lines: stdout.split('\n'), stderr };
    };
    const onServer = (...args: readonly string[]) => rules(...args, '--url', url);
    writeFileSync(program.path('rules.json'), RULES);
    writeFileSync(program.path('draft.json'), DRAFT);
    expect((await onServer('publish', 'rules.json')).lines).toEqual([
      'Published rules.json for demo-default-rtdb as version 1.',
      '',
    ]);

    const write = { method: 'PUT', body: '{"name":"tea","open":false}' };
    expect(await statusOf(url, '/rooms/r1', write, 'ann')).toBe(200);
    expect(await statusOf(url, '/rooms/r1/name', { method: 'PUT', body: '"very long name"' }, 'ann')).toBe(
      401,
    );
    expect(await listen(url, '/rooms/r1')).toMatchObject({ d: { r: 1, b: { s: 'permission_denied' } } });

    const denials = await onServer('denials');
    expect(denials.lines).toEqual([
      expect.stringMatching(/^id +denied +caller +operation +path +decided by$/),
      expect.stringMatching(/^2 .* anonymous +listen +\/rooms\/r1 +\.read of \/rooms\/\$room$/),
      expect.stringMatching(/^1 .* ann +PUT +\/rooms\/r1\/name +\.validate of \/rooms\/\$room\/name$/),
      '',
      'To see why: hearth rules denials 2',
      '',
    ]);
    expect((await onServer('denials', '1')).lines.slice(1)).toEqual([
      '',
      'Denied: .validate of /rooms/$room/name does not hold for /rooms/r1/name.',
      '',
      '.write of /rooms/$room for /rooms/r1 holds',
      '',
      '.validate of /rooms/$room/name for /rooms/r1/name does not hold',
      '  newData.isString() && newData.val().length < 10  false',
      '    newData.isString()                             true',
      '    newData.val().length < 10                      false',
      '      newData.val().length                         a number (not stored)',
      '        newData.val()                              a string of 14 characters (not stored)',
      '',
      'Denials do not store values of data. hearth rules explain shows the current values.',
      '',
    ]);
    expect((await onServer('explain', '--read', '/rooms/r1')).lines).toEqual([
      'Denied: no .read at or above /rooms/r1 holds.',
      '',
      `.read of /rooms/$room for /rooms/r1 does not hold  rules:2:13`,
      "  data.child('open').val() == true  false",
      "    data.child('open').val()        false",
      "      data.child('open')            /rooms/r1/open",
      '',
    ]);

    expect(await statusOf(url, '/rooms/r1/name', { method: 'PUT', body: '"coffee"' }, 'ann')).toBe(200);
    const replay = await onServer('replay', 'draft.json', '--save', 'changed.json');
    expect(replay).toMatchObject({ code: 0, stderr: 'Saved 1 example to changed.json.\n' });
    expect(replay.lines.slice(0, 4)).toEqual([
      'draft.json changes the result of 1 of 4 recorded operations.',
      '',
      'Allowed before, denied by the draft',
      '  1  .write of /rooms/$room: !data.exists()',
    ]);
    expect(await rules('test', 'rules.json', 'changed.json')).toMatchObject({ code: 0 });
    expect(await rules('test', 'draft.json', 'changed.json')).toMatchObject({
      code: 1,
      lines: expect.arrayContaining(['      Denied: no .write at or above /rooms/r1/name holds.']),
    });

    expect(await onServer('publish', 'draft.json', '--message', 'once only')).toMatchObject({ code: 0 });
    expect(await statusOf(url, '/rooms/r1/name', { method: 'PUT', body: '"milk"' }, 'ann')).toBe(401);
    expect((await onServer('rollback')).lines[0]).toBe(
      'Published version 1 for demo-default-rtdb again, as version 3.',
    );
    expect(await statusOf(url, '/rooms/r1/name', { method: 'PUT', body: '"milk"' }, 'ann')).toBe(200);
    const history = await onServer('history');
    expect(history.lines.map((line) => line.replace(/ {2,}/g, '|').split('|').toSpliced(1, 1))).toEqual([
      ['version', 'by', 'size', 'message'],
      ['3', 'server administrator', `${RULES.length} bytes`, 'rolled back to 1'],
      ['2', 'server administrator', `${DRAFT.length} bytes`, 'once only'],
      ['1', 'server administrator', `${RULES.length} bytes`],
      [''],
    ]);

    const coverage = await fetch(`${url}/.inspect/coverage?${NAMESPACE}`);
    expect(await coverage.text()).toContain('title="true: 1, false: 0"');
    expect(await stop(server)).toMatchObject({ code: 0 });
  },
  PROCESS_LIMIT_MS,
);
