import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsePath } from '@hearth/core/tree/path.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { ADMIN, ANONYMOUS, type Principal } from '../../access/principal.ts';
import { createLogger } from '../../platform/logger.ts';
import { openTestPool, TEST_HOLDER } from '../../platform/pools.fixture.ts';
import { DecisionRecorder } from '../../rules/decision.ts';
import { DenialLog } from '../../rules/denials/log.ts';
import { CoverageRecorder } from '../../rules/recorder/coverage.ts';
import { OperationRecorder } from '../../rules/recorder/recorder.ts';
import { Replay } from '../../rules/recorder/replay.ts';
import { LmdbStore } from '../../storage/kv/lmdb.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { SnapshotStore } from '../../storage/kv/snapshot-store.ts';
import type { KvStore } from '../../storage/kv/store.ts';
import { EmbeddedLog } from '../../storage/log/embedded.ts';
import { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import { Databases } from './registry.ts';
import { parseUpdate } from './write-input.ts';

const NOW_MS = 1_700_000_000_000;
const ALICE: Principal = { kind: 'user', auth: { uid: 'alice' }, expiresAtMs: null };

/** Rules for rooms that only their owners may write to, with counters that can only grow by one. */
const RULES = {
  rooms: {
    $id: {
      '.write': "!data.exists() || data.child('owner').val() == auth.uid",
      count: { '.validate': 'data.exists() ? newData.val() == data.val() + 1 : newData.val() == 0' },
    },
  },
};

function openTestBed(inner: KvStore) {
  const store = new SnapshotStore(inner);
  const clock = { nowMs: () => NOW_MS, elapsedMs: () => 0 };
  const logger = createLogger('silent', { write: () => undefined });
  const scheduler = new TransactionScheduler({ log: new EmbeddedLog({ store }), clock, logger });
  const databases = new Databases({
    longReads: openTestPool(),
    store,
    scheduler,
    clock,
    logger,
    randomBytes: (count) => new Uint8Array(count),
    newDatabaseRules: JSON.stringify({ rules: RULES }),
  });
  const denials = new DenialLog({ store, scheduler, clock, logger });
  const recorder = new OperationRecorder({ store, scheduler, clock, chance: () => 0, isOnAtFirst: true });
  const coverage = new CoverageRecorder({
    scheduler,
    clock,
    findRules: (transaction, name) => databases.open(name, transaction).rules,
  });
  databases.open('d').decisions = new DecisionRecorder({ database: 'd', denials, recorder, coverage });
  const replay = new Replay({
    scheduler,
    clock,
    recorder,
    places: openTestPool(),
    findState: (transaction, name) => {
      const database = databases.open(name, transaction);
      return { rules: database.rules, tree: database.tree(transaction) };
    },
  });
  const write = async (fields: Readonly<Record<string, unknown>>, identity: Principal): Promise<string> => {
    const writes = parseUpdate(parsePath(''), fields);
    return databases.write('d', { operation: 'merge', identity, writes }).then(
      () => 'ok',
      (error: unknown) => String(error),
    );
  };
  return { store, databases, denials, recorder, replay, write };
}

const parent = mkdtempSync(join(tmpdir(), 'hearth-decisions-'));
afterAll(() => rmSync(parent, { recursive: true }));

describe.each<readonly [string, () => KvStore]>([
  ['memory', () => new MemoryStore()],
  ['lmdb', () => new LmdbStore({ directory: mkdtempSync(join(parent, 'store.')) })],
])('with the store %s', (_name, open) => {
  test('[R162][R163][R180][R184] writes of users are recorded and replayed on the data at that time', async () => {
    const { store, databases, denials, recorder, replay, write } = openTestBed(open());
    expect(await write({ 'rooms/r1': { owner: 'alice', count: 0 } }, ALICE)).toBe('ok');
    for (let count = 1; count <= 3; count++)
      expect(await write({ 'rooms/r1/count': { '.sv': { increment: 1 } } }, ALICE)).toBe('ok');
    expect(await write({ 'rooms/r1/count': 9 }, ALICE)).toContain('denied');
    expect(await write({ 'rooms/r1/count': 4, 'rooms/r1/title': 'x' }, ANONYMOUS)).toContain('denied');
    expect(await write({ 'rooms/r1/title': 'x' }, ADMIN)).toBe('ok');

    const { denials: kept } = await denials.search('d', { before: 100, limit: 100 });
    expect(kept.map(({ rule, paths }) => [rule?.kind, rule?.place, paths.length])).toEqual([
      ['write', '/rooms/r1', 2],
      ['validate', '/rooms/r1/count', 1],
    ]);
    for (const { id } of kept)
      expect(await denials.evaluate('d', id)).toMatchObject({ isAllowed: false, basis: 'outcomes' });

    expect(recorder.read('d').operations).toHaveLength(6);
    const unchanged = await replay.run(TEST_HOLDER, 'd', JSON.stringify({ rules: RULES }));
    expect(unchanged).toEqual({
      operations: 6,
      notRecorded: 0,
      sampledOut: 0,
      allowedToDenied: [],
      deniedToAllowed: [],
    });
    const draft = { rooms: { $id: { ...RULES.rooms.$id, '.write': "auth.uid == 'alice'", count: {} } } };
    expect(await replay.run(TEST_HOLDER, 'd', JSON.stringify({ rules: draft }))).toMatchObject({
      operations: 6,
      allowedToDenied: [],
      deniedToAllowed: [
        {
          rule: { kind: 'write', location: '/rooms/$id' },
          count: 1,
          examples: [{ as: { uid: 'alice' }, write: '/rooms/r1/count', value: 9, expect: 'deny' }],
        },
      ],
    });
    // A logged decision keeps its result when other rules are published later.
    await databases.writeRules('d', ADMIN, '{"rules":{".write":true}}');
    expect(await denials.evaluate('d', 1)).toMatchObject({ isAllowed: false });
    await denials.close();
    store[Symbol.dispose]();
  });
});
