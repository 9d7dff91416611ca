import { expect, test } from 'vitest';
import { openNamespace } from '../drivers/namespace.ts';
import { useFirebaseCli } from './firebase-cli.ts';
import { readData, writeData } from './owner-request.ts';

const cli = useFirebaseCli();

const GROUPS = 30;
const CHILDREN = 4_000;

test.concurrent('[S266] remove deletes a node and no other', async () => {
  const database = await openNamespace();
  await writeData(database, '/', { gone: { a: 1 }, stays: 2 });
  await cli.succeed(database, ['database:remove', '/gone', '--force']);
  expect(await readData(database, '/')).toEqual({ stays: 2 });
});

test.concurrent('[S266] remove of a missing node succeeds', async () => {
  const database = await openNamespace();
  await cli.succeed(database, ['database:remove', '/nothing', '--force', '--disable-triggers']);
});

test.concurrent('[S267] remove deletes a large node', async () => {
  const database = await openNamespace();
  await writeData(database, '/stays', 1);
  const children = Object.fromEntries(
    Array.from({ length: CHILDREN }, (_, n) => [`child ${n}`, { n, text: 'x' }]),
  );
  for (let group = 0; group < GROUPS; group++) await writeData(database, `/large/group ${group}`, children);
  await cli.succeed(database, ['database:remove', '/large', '--force']);
  expect(await readData(database, '/')).toEqual({ stays: 1 });
});
