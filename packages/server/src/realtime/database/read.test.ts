import type { Query } from '@hearth/core/query/query.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { beforeEach, expect, test } from 'vitest';
import { ADMIN, ANONYMOUS, type Principal } from '../../access/principal.ts';
import { createLogger } from '../../platform/logger.ts';
import { openTestPool } from '../../platform/pools.fixture.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { SnapshotStore } from '../../storage/kv/snapshot-store.ts';
import { EmbeddedLog } from '../../storage/log/embedded.ts';
import { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import { collectText } from './read-text.fixture.ts';
import { Databases } from './registry.ts';
import type { ReadAnswer, Selection } from './tree-view.ts';
import { parseUpdate } from './write-input.ts';

const RULES = '{"rules":{"open":{".read":true,".indexOn":["n"]},"shut":{".read":false},".write":true}}';
const NODE: Selection = { kind: 'node' };

let databases: Databases;

beforeEach(() => {
  const logger = createLogger('silent', { write: () => undefined });
  const store = new SnapshotStore(new MemoryStore());
  const clock = { nowMs: () => 1000, elapsedMs: () => 0 };
  databases = new Databases({
    longReads: openTestPool(),
    store,
    scheduler: new TransactionScheduler({ log: new EmbeddedLog({ store }), clock, logger }),
    clock,
    logger,
    randomBytes: (count) => new Uint8Array(count),
    newDatabaseRules: RULES,
  });
});

function write(fields: Readonly<Record<string, unknown>>): Promise<unknown> {
  return databases.write('d', {
    operation: 'PUT',
    identity: ADMIN,
    writes: parseUpdate(parsePath(''), fields),
  });
}

function read(
  path: string,
  selection: Selection,
  form: 'export' | 'plain' = 'export',
  identity: Principal = ADMIN,
): Promise<ReadAnswer> {
  const request = {
    operation: 'GET' as const,
    identity,
    path: parsePath(path),
    form,
    selection,
    wantsHash: true,
    timeoutMs: 60_000,
  };
  return databases.read('d', request);
}

function query(part: Partial<Query>): Selection {
  return {
    kind: 'query',
    query: { index: { kind: 'key' }, lower: null, upper: null, limit: null, from: 'left', ...part },
  };
}

const BY_N = { index: { kind: 'child', path: parsePath('n') } } as const;

test.each([
  ['open', NODE, 'export', '{"1":{"n":2,".priority":5},"2":{"n":1},"x":"leaf"}'],
  ['open', NODE, 'plain', '{"1":{"n":2},"2":{"n":1},"x":"leaf"}'],
  ['open/x', NODE, 'plain', '"leaf"'],
  ['open/none', NODE, 'plain', 'null'],
  ['open/1', { kind: 'priority' }, 'plain', '5'],
  ['open/x', { kind: 'priority' }, 'plain', 'null'],
  ['open', { kind: 'shallow', startAfter: null, limit: null }, 'plain', '{"1":true,"2":true,"x":true}'],
  ['open', { kind: 'shallow', startAfter: '1', limit: 1 }, 'plain', '{"2":true}'],
  ['open/x', { kind: 'shallow', startAfter: null, limit: null }, 'plain', '"leaf"'],
  ['open/none', { kind: 'shallow', startAfter: null, limit: null }, 'plain', 'null'],
  ['open', query({ limit: 2 }), 'plain', '[null,{"n":2},{"n":1}]'],
  ['open', query({ ...BY_N, limit: 2, from: 'right' }), 'export', '{"2":{"n":1},"1":{"n":2,".priority":5}}'],
  ['open', query({ ...BY_N, lower: { value: 9, key: '[MIN_NAME]', isInclusive: true } }), 'plain', '{}'],
  ['open/x', query({}), 'plain', '{}'],
  ['open/none', query({}), 'plain', 'null'],
] as const)('[L80] a read of /%s selects %j as %s', async (path, selection, form, expected) => {
  await write({ 'open/1': { n: 2, '.priority': 5 }, 'open/2/n': 1, 'open/x': 'leaf' });
  const { json, hash } = await read(path, selection, form);
  expect(json.kind).toBe('whole');
  await expect(collectText(json)).resolves.toBe(expected);
  expect(hash).toBe((await read(path, NODE)).hash);
});

test('[L80] a read needs permission and a declared index', async () => {
  await expect(read('shut', NODE, 'export', ANONYMOUS)).rejects.toMatchObject({ code: 'access/denied' });
  await expect(read('shut', query(BY_N))).rejects.toMatchObject({ code: 'query/unindexed' });
  await expect(read('open', query(BY_N), 'export', ANONYMOUS)).resolves.toBeDefined();
});

test('[L81] a long response shows the state of its transaction, whatever is written during the read', async () => {
  const rows = Object.fromEntries(
    Array.from({ length: 1500 }, (_, i) => [`k${i}`, { n: i, text: 'x'.repeat(900) }]),
  );
  await write({ open: rows });
  const before = collectText((await read('open', NODE)).json);
  const later = [
    read('open', NODE),
    read('open', query({ ...BY_N, limit: 2000 })),
    read('open', query({}), 'plain'),
  ];
  const written = write({ 'open/k7': null, 'open/k1400/n': -1, 'open/new': 1 });
  const answers = await Promise.all(later);
  await written;
  expect(answers.map(({ json }) => json.kind)).toEqual(['parts', 'parts', 'parts']);
  const texts: string[] = [];
  for (const { json } of answers) {
    texts.push(await collectText(json));
    await write({ open: null });
  }
  const [whole = '', byN = '', byKey = ''] = texts;
  expect(whole).toBe(await before);
  expect(JSON.parse(whole)).toEqual(rows);
  expect(byKey).toBe(whole);
  expect(Object.keys(JSON.parse(byN))).toEqual(Object.keys(rows));
  await expect(collectText((await read('open', NODE)).json)).resolves.toBe('null');
});
