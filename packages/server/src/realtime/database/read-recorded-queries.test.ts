import { parseQuery } from '@hearth/core/query/fields.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { ADMIN } from '../../access/principal.ts';
import { createLogger } from '../../platform/logger.ts';
import { openTestPool } from '../../platform/pools.fixture.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { SnapshotStore } from '../../storage/kv/snapshot-store.ts';
import { EmbeddedLog } from '../../storage/log/embedded.ts';
import { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import { readRecordedQuery } from './read.ts';
import { Databases } from './registry.ts';
import { parseUpdate } from './write-input.ts';

const RULES = '{"rules":{"list":{".indexOn":"n"}}}';

test.each([
  { query: { i: 'n', l: 3, vf: 'l' }, stepMs: 9, recorded: [] },
  {
    query: { i: 'n', l: 3, vf: 'l' },
    stepMs: 10,
    recorded: [{ orderBy: 'n', isIndexed: true, slowestMs: 10 }],
  },
  { query: { i: '.key', sp: 'k1', ep: 'k1' }, stepMs: 0, recorded: [] },
  {
    query: { i: 'm', l: 3, vf: 'l' },
    stepMs: 0,
    recorded: [
      { location: '/list', orderBy: 'm', isIndexed: false, count: 1, rejected: 0, mostChildren: 500 },
    ],
  },
])(
  '[H440] a query is recorded only if it is slow or unindexed: $query in $stepMs ms',
  async ({ query, stepMs, recorded }) => {
    let elapsedMs = 0;
    const store = new SnapshotStore(new MemoryStore());
    const clock = {
      nowMs: () => 1_000,
      elapsedMs: () => {
        elapsedMs += stepMs;
        return elapsedMs;
      },
    };
    const logger = createLogger('silent', { write: () => undefined });
    const scheduler = new TransactionScheduler({ log: new EmbeddedLog({ store }), clock, logger });
    const randomBytes = (count: number) => new Uint8Array(count);
    const databases = new Databases({
      longReads: openTestPool(),
      store,
      scheduler,
      clock,
      logger,
      randomBytes,
      newDatabaseRules: RULES,
    });
    await databases.writeRules('demo', ADMIN, RULES);
    const children = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, { n, m: n }]));
    const writes = parseUpdate(parsePath(''), { list: children });
    await databases.write('demo', { operation: 'PUT', identity: ADMIN, writes });
    const database = databases.open('demo');
    await scheduler.request((transaction) =>
      readRecordedQuery(transaction, database, parsePath('list'), parseQuery(query)),
    );
    expect(database.activity.queries.all()).toMatchObject(recorded);
    expect(database.activity.queries.all()).toHaveLength(recorded.length);
  },
);
