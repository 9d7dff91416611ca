import { expect, test } from 'vitest';
import { openNamespace } from '../drivers/namespace.ts';
import { useFirebaseCli } from './firebase-cli.ts';
import { readData, writeData } from './owner-request.ts';

const cli = useFirebaseCli();

test.concurrent('[S268] import writes a large file of nested data to an empty path', async () => {
  const database = await openNamespace();
  const data = {
    leaf: 'a leaf',
    list: ['a', 'b', { c: true }],
    users: Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [
        `user ${n}`,
        { name: 'n'.repeat(9_000), tags: { [`tag${n}`]: true } },
      ]),
    ),
    deep: { a: { b: { c: { d: 1.5 } } } },
  };
  const file = await cli.writeInput('nested.json', JSON.stringify(data));
  await cli.succeed(database, ['database:import', '/target', file, '--force']);
  expect(await readData(database, '/target')).toEqual(data);
});

test.concurrent('[S268] import with --filter writes only a part of a file', async () => {
  const database = await openNamespace();
  const file = await cli.writeInput('part.json', '{"a":{"b":{"x":1,"y":{"z":2}}},"c":3}');
  await cli.succeed(database, ['database:import', '/', file, '--filter', 'a/b', '--force']);
  // The import keeps the path that the part has in the file.
  expect(await readData(database, '/')).toEqual({ a: { b: { x: 1, y: { z: 2 } } } });
});

test.concurrent('[S269] the command line rejects an import to a path with data', async () => {
  const database = await openNamespace();
  await writeData(database, '/target', { here: 1 });
  const file = await cli.writeInput('refused.json', '{"a":1}');
  expect(await cli.run(database, ['database:import', '/target', file, '--force'])).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('Importing is only allowed for an empty location.'),
  });
  expect(await readData(database, '/target')).toEqual({ here: 1 });
});

test.concurrent('[S269] import of a file that is not JSON ends with exit code 2', async () => {
  const database = await openNamespace();
  const file = await cli.writeInput('broken.json', '{"a":1,');
  const ended = await cli.run(database, ['database:import', '/target', file, '--force']);
  expect(ended).toMatchObject({ code: 2, stdout: expect.stringContaining('Invalid data;') });
});
