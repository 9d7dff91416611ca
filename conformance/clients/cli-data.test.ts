import { describe, expect, inject, test } from 'vitest';
import { parseJson } from '../drivers/json.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { useFirebaseCli } from './firebase-cli.ts';
import { ownerRequest, readData, writeData } from './owner-request.ts';

const cli = useFirebaseCli();

describe.concurrent('firebase database:get, :set, :update, :push', () => {
  test('[S260] set writes JSON from an argument, a file or standard input, and get prints it', async () => {
    const database = await openNamespace();
    const file = await cli.writeInput('set.json', '{"from":"a file"}');
    await Promise.all([
      cli.succeed(database, ['database:set', '/argument', '--data', '{"from":"an argument"}', '--force']),
      cli.succeed(database, ['database:set', '/file', file, '--force']),
      cli.succeed(database, ['database:set', '/input', '--force'], { input: '"standard input"' }),
    ]);
    const printed = await cli.succeed(database, ['database:get', '/']);
    expect(parseJson(printed)).toEqual({
      argument: { from: 'an argument' },
      file: { from: 'a file' },
      input: 'standard input',
    });
  });

  test('[S260] set with --disable-triggers writes the value', async () => {
    const database = await openNamespace();
    await cli.succeed(database, ['database:set', '/a', '--data', '1', '--force', '--disable-triggers']);
    expect(await readData(database, '/a')).toBe(1);
  });

  test('[S261] update changes only the children and paths that its data names', async () => {
    const database = await openNamespace();
    await writeData(database, '/room', { name: 'lobby', seats: { a: 1, b: 2 } });
    const data = '{"name":"hall","seats/a":3}';
    await cli.succeed(database, [
      'database:update',
      '/room',
      '--data',
      data,
      '--force',
      '--disable-triggers',
    ]);
    expect(await readData(database, '/room')).toEqual({ name: 'hall', seats: { a: 3, b: 2 } });
  });

  test('[S262] push adds a child and prints its path', async () => {
    const database = await openNamespace();
    const printed = await cli.succeed(database, ['database:push', '/list', '--data', '"new"']);
    const list = await readData(database, '/list');
    expect(Object.values(list ?? {})).toEqual(['new']);
    expect(printed).toContain(`/list/${Object.keys(list ?? {})[0]}`);
  });

  test("[S263] an error of the server ends a command with an exit code other than 0, and get and set print the server's sentence", async () => {
    const database = await openNamespace();
    await writeData(database, '/unindexed', { a: { height: 1 } });
    const bad = (args: readonly string[]) => cli.run(database, args);
    const [set, update, get] = await Promise.all([
      bad(['database:set', '/a', '--data', '{a:1}', '--force']),
      bad(['database:update', '/a', '--data', '5', '--force']),
      bad(['database:get', '/unindexed', '--order-by', 'height', '--limit-to-first', '1']),
    ]);
    expect(set).toMatchObject({
      code: 2,
      stdout: expect.stringContaining("Invalid data; couldn't parse JSON object, array, or value."),
    });
    expect(update).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Unexpected error while setting data'),
    });
    expect(get).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(
        'Index not defined, add ".indexOn": "height", for path "/unindexed", to the rules',
      ),
    });
    expect(await readData(database, '/a')).toBeNull();
  });

  test('[S264] a command reaches the server that FIREBASE_DATABASE_EMULATOR_HOST names', async () => {
    const env = { FIREBASE_DATABASE_EMULATOR_HOST: new URL(inject('serverUrl')).host };
    const key = crypto.randomUUID();
    // With this variable `database:get` names no database in its request, so the server reads its default database,
    // which has this name.
    const database = 'fake-server';
    await cli.succeed(database, ['database:set', `/${key}`, '--data', '7', '--force'], { env });
    expect(await cli.succeed(database, ['database:get', `/${key}`], { env })).toContain('7');
    await ownerRequest('DELETE', `/${key}.json?ns=${database}`);
  });
});

describe('firebase database:get with options', () => {
  const dinosaurs = {
    bruhathkayosaurus: { height: 25, name: 'b' },
    lambeosaurus: { height: 2.1, name: 'l' },
    linhenykus: { height: 0.6, name: 'i' },
    pterodactyl: { height: 0.6, name: 'p' },
  };
  const rules = {
    rules: { '.read': true, '.write': true, d: { '.indexOn': 'height' }, v: { '.indexOn': '.value' } },
  };

  test('[S265] get prints what its options select', async () => {
    const database = await openNamespace(rules);
    await writeData(database, '/d', dinosaurs);
    await writeData(database, '/v', { a: 3, b: 1, c: 2 });
    await writeData(database, '/p', { '.value': 1, '.priority': 5 });
    const get = (path: string, ...options: readonly string[]) =>
      cli.succeed(database, ['database:get', path, ...options]);
    const [shallow, fewShallow, listed, first, tall, keys, values, exported, pretty] = await Promise.all([
      get('/d', '--shallow'),
      get('/d', '--shallow', '--limit-to-first', '1'),
      get('/d', '--order-by-key', '--limit-to-first', '2'),
      get('/d', '--order-by', 'height', '--limit-to-first', '2'),
      get('/d', '--order-by', 'height', '--start-at', '2', '--end-at', '3'),
      get('/d', '--order-by-key', '--start-at', 'lambeosaurus', '--limit-to-last', '1'),
      get('/v', '--order-by-value', '--equal-to', '2'),
      get('/p', '--export'),
      get('/v', '--pretty'),
    ]);
    const pick = (...names: (keyof typeof dinosaurs)[]) =>
      Object.fromEntries(names.map((name) => [name, dinosaurs[name]]));
    expect(parseJson(shallow)).toEqual(Object.fromEntries(Object.keys(dinosaurs).map((key) => [key, true])));
    expect(parseJson(fewShallow)).toEqual({ bruhathkayosaurus: true });
    expect(parseJson(listed)).toEqual(pick('bruhathkayosaurus', 'lambeosaurus'));
    expect(parseJson(first)).toEqual(pick('linhenykus', 'pterodactyl'));
    expect(parseJson(tall)).toEqual(pick('lambeosaurus'));
    expect(parseJson(keys)).toEqual(pick('pterodactyl'));
    expect(parseJson(values)).toEqual({ c: 2 });
    expect(parseJson(exported)).toEqual({ '.value': 1, '.priority': 5 });
    expect(pretty.trim()).toBe('{\n  "a" : 3,\n  "b" : 1,\n  "c" : 2\n}');
  });

  test('[S265] get of a missing node prints null', async () => {
    const database = await openNamespace();
    expect((await cli.succeed(database, ['database:get', '/nothing'])).trim()).toBe('null');
  });
});
