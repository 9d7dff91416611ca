import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listLoggedDatabases } from '../rules/denials/table.ts';
import { LmdbStore } from '../storage/kv/lmdb.ts';
import { makeProject } from './members.fixture.ts';
import { openServing, temporaryDirectory } from './serving.fixture.ts';

test('[R288] only denials in databases that a project owns are stored', async () => {
  const directory = temporaryDirectory();
  const serving = await openServing(directory);
  await makeProject(serving, 'shop');
  for (const database of ['shop-default-rtdb', 'unknown-database'])
    expect((await serving.ask(`/secrets.json?ns=${database}`)).status).toBe(401);
  await serving.close();
  using store = new LmdbStore({ directory: join(directory, 'data') });
  expect(store.read(listLoggedDatabases)).toEqual(['shop-default-rtdb']);
});
