import { parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { ADMIN, type Principal } from '../../access/principal.ts';
import { seqOf } from '../../storage/log/commit.ts';
import { recordKey } from '../../storage/log/record.ts';
import { parseUpdate } from '../database/write-input.ts';
import { ImportTestBed } from '../import/test-bed.fixture.ts';

const bed = new ImportTestBed();
const ANN: Principal = {
  kind: 'user',
  expiresAtMs: null,
  auth: { uid: 'ann', provider: 'password', token: {} },
};

/** Makes writes as one commit, and returns its time. */
async function write(
  database: string,
  changes: object,
  identity: Principal = ADMIN,
  author?: string,
): Promise<number> {
  bed.nowMs += 1_000;
  await bed.databases.write(database, {
    operation: 'PATCH',
    identity,
    writes: parseUpdate(parsePath(''), changes),
    ...(author === undefined ? {} : { change: { kind: 'write', author } }),
  });
  return bed.nowMs;
}

test('[L125] the last write of a node is the last one at, above or below it', async () => {
  const first = await write('near', { a: { b: 1, c: 2 }, other: 1 });
  expect(await bed.changes.lastWrite('near', parsePath('a/b'))).toEqual({
    kind: 'write',
    timeMs: first,
    author: { kind: 'admin' },
    path: '/a',
    paths: 2,
    change: null,
  });
  const second = await write('near', { 'a/b/deep': 'x' }, ANN);
  for (const path of ['a', 'a/b', 'a/b/deep', 'a/b/deep/below', ''])
    expect(await bed.changes.lastWrite('near', parsePath(path))).toMatchObject({
      timeMs: second,
      author: { kind: 'user', uid: 'ann' },
      path: '/a/b/deep',
    });
  expect(await bed.changes.lastWrite('near', parsePath('a/c'))).toMatchObject({ timeMs: first });
  expect(await bed.changes.lastWrite('near', parsePath('a/bc'))).toMatchObject({ timeMs: first, path: '/a' });
  await write('near', { 'a/.priority': 3 });
  expect(await bed.changes.lastWrite('near', parsePath('a'))).toMatchObject({ path: '/a/.priority' });
});

test('[L125] the author of a tenant names the tenant', async () => {
  const token = { firebase: { tenant: 'acme', identities: {} } };
  await write('tenant', { a: 1 }, { ...ANN, auth: { ...ANN.auth, token } });
  expect(await bed.changes.lastWrite('tenant', parsePath('a'))).toMatchObject({
    author: { kind: 'user', uid: 'ann', tenant: 'acme' },
  });
});

test('[L125] the write of a member names the recorded change', async () => {
  await write('named', { a: 1 }, ADMIN, 'ann@example.com');
  await write('named', { b: 1 }, ADMIN, 'bob@example.com');
  await write('named', { c: 1 });
  const changeOf = async (path: string): Promise<unknown> => {
    const found = await bed.changes.lastWrite('named', parsePath(path));
    return found.kind === 'write' ? found.change : found;
  };
  expect(await changeOf('a')).toMatchObject({ kind: 'write', author: 'ann@example.com' });
  expect(await changeOf('b')).toMatchObject({ author: 'bob@example.com' });
  expect(await changeOf('c')).toBeNull();
});

test('[L125] a path that no commit wrote has no last write, and neither has an empty database', async () => {
  await write('short', { a: 1 });
  expect(await bed.changes.lastWrite('short', parsePath('b'))).toEqual({ kind: 'never' });
  expect(await bed.changes.lastWrite('unknown', parsePath('b'))).toEqual({ kind: 'never' });
});

test('[L125] a write that the log no longer has is older than the time of the oldest commit', async () => {
  await write('long', { old: 1 });
  const kept = await write('long', { a: 0 });
  for (let number = 1; number < 450; number += 1) await write('long', { a: number });
  bed.store.transact((tx) => tx.remove('log', recordKey('long', seqOf(1), 0)));
  expect(await bed.changes.lastWrite('long', parsePath('old'))).toEqual({ kind: 'older', sinceMs: kept });
  expect(await bed.changes.lastWrite('long', parsePath('a'))).toMatchObject({ kind: 'write' });
});
