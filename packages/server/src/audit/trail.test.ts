import { expect, test } from 'vitest';
import { memoryRecordStore, TestClock } from '../records/memory-records.fixture.ts';
import type { RecordStore } from '../records/store.ts';
import type { AuditFilter } from './search.ts';
import { shareOf } from './series.ts';
import { auditRecords, timeId } from './store.ts';
import { ALL, auditEvent, auditTestBed } from './test-bed.fixture.ts';
import type { AuditEvent } from './trail.ts';

async function uidsOf(log: ReturnType<typeof auditTestBed>['log']): Promise<readonly (string | null)[]> {
  return (await log.search('p', ALL)).entries.map(({ uid }) => uid);
}

test('[I500] recorded events survive a restart, with time, actor, address and result', async () => {
  const clock = new TestClock();
  const recordStore = memoryRecordStore(clock);
  const before = auditTestBed({ recordStore, clock }).log;
  before.notify(auditEvent({ result: 'INVALID_PASSWORD', detail: 'password' }));
  clock.ms += 1;
  before.notify(auditEvent({ event: 'account_deleted', actor: 'owner', uid: null }));
  await before[Symbol.asyncDispose]();
  const { log } = auditTestBed({ recordStore, clock });
  log.notify(auditEvent({ uid: 'u2' }));
  const { projectId: _projectId, ...members } = auditEvent();
  const reported = { ...members, count: 1, lastTimeMs: null };
  const { entries, next } = await log.search('p', ALL);
  expect(entries).toEqual([
    { ...reported, id: '001700000000001-000000000002', timeMs: clock.ms, uid: 'u2' },
    {
      ...reported,
      id: '001700000000001-000000000001',
      timeMs: clock.ms,
      event: 'account_deleted',
      actor: 'owner',
      uid: null,
    },
    {
      ...reported,
      id: '001700000000000-000000000000',
      timeMs: clock.ms - 1,
      result: 'INVALID_PASSWORD',
      detail: 'password',
    },
  ]);
  expect(next).toBeNull();
});

test('[I500] each project and the server itself have separate audit logs', async () => {
  const { log } = auditTestBed();
  for (const projectId of ['p', 'q', null]) log.notify(auditEvent({ projectId, uid: `of ${projectId}` }));
  for (const projectId of ['p', 'q', null])
    expect((await log.search(projectId, ALL)).entries.map(({ uid }) => uid)).toEqual([`of ${projectId}`]);
  expect((await log.search('none', ALL)).entries).toEqual([]);
});

test('[I502] the oldest entries above the limit are removed', async () => {
  const { log } = auditTestBed({ retention: { maxEntries: 3, maxAgeMs: 1_000 } });
  for (let n = 0; n < 10; n++) {
    log.notify(auditEvent({ uid: `u${n}` }));
    await log.flush();
  }
  expect(await uidsOf(log)).toEqual(['u9', 'u8', 'u7']);
});

test('[I502] expired entries are not shown, and are removed when the next entry is added', async () => {
  const { log, recordStore, clock } = auditTestBed({ retention: { maxEntries: 100, maxAgeMs: 1_000 } });
  const stored = (): number =>
    recordStore.read((view) => view.records('audit:p').listKeys(['entries'], { limit: 9 })).length;
  log.notify(auditEvent({ uid: 'u0' }));
  clock.ms += 600;
  log.notify(auditEvent({ uid: 'u1' }));
  expect(await uidsOf(log)).toEqual(['u1', 'u0']);
  clock.ms += 401;
  expect(await uidsOf(log)).toEqual(['u1']);
  expect(stored()).toBe(2);
  log.notify(auditEvent({ uid: 'u2' }));
  expect(await uidsOf(log)).toEqual(['u2', 'u1']);
  expect(stored()).toBe(2);
});

test('[I502] after the limit is lowered, entries are removed in steps', async () => {
  const { log, recordStore, clock } = auditTestBed();
  for (let n = 0; n < 300; n++) log.notify(auditEvent({ uid: `u${n}` }));
  await log.flush();
  const smaller = auditTestBed({
    recordStore,
    clock,
    retention: { maxEntries: 10, maxAgeMs: 1_000_000 },
  }).log;
  const counts: number[] = [];
  for (let n = 0; n < 4; n++) {
    smaller.notify(auditEvent({ uid: `later ${n}` }));
    counts.push((await smaller.search('p', { ...ALL, limit: 500 })).entries.length);
  }
  expect(counts).toEqual([200, 100, 10, 10]);
});

const OWNER = { event: 'config_changed', actor: 'owner', uid: null } as const;

test('[I723] what administrators did is not removed by events of users, and has its own limit', async () => {
  const { log, clock, recordStore } = auditTestBed({
    retention: { maxEntries: 3, maxAgeMs: 1_000 },
    administration: { maxEntries: 2, maxAgeMs: 100_000 },
  });
  const add = async (change: Partial<AuditEvent>): Promise<void> => {
    log.notify(auditEvent(change));
    await log.flush();
    clock.ms += 10;
  };
  for (const detail of ['a', 'b', 'c']) await add({ ...OWNER, detail });
  for (let n = 0; n < 200; n++) {
    await add({ uid: `u${n}` });
    await add({ event: 'admin_refused', actor: 'owner', result: 'ok', uid: `u${n}` });
    await add({ ...OWNER, result: 'PERMISSION_DENIED', detail: `${n}` });
    await add({ event: 'access_token_issued', actor: 'backend@example.com', uid: `${n}` });
  }
  const all = (await log.search('p', ALL)).entries;
  expect(all.map(({ event, detail }) => `${event} ${detail}`)).toEqual([
    'access_token_issued null',
    'config_changed 199',
    'admin_refused null',
    'config_changed c',
    'config_changed b',
  ]);
  clock.ms += 2_000;
  await log.sweep();
  const stored = recordStore.read((view) => view.records('audit:p').listKeys(['entries'], { limit: 9 }));
  expect(stored).toEqual([]);
  expect((await log.search('p', ALL)).entries.map(({ detail }) => detail)).toEqual(['c', 'b']);
  clock.ms += 100_000;
  await log.sweep();
  expect(recordStore.read((view) => view.records('audit:p').listKeys(['admin'], { limit: 9 }))).toEqual([]);
});

test('[I725] in a log of an earlier release, what administrators did moves to its own limit', async () => {
  const clock = new TestClock();
  const recordStore = memoryRecordStore(clock);
  const { projectId: _projectId, ...record } = auditEvent();
  const idOf = (n: number): string => `${timeId(clock.ms)}-${String(n).padStart(12, '0')}`;
  await recordStore.change((transaction) => {
    const records = transaction.records(auditRecords('p'));
    for (let n = 0; n < 4; n++)
      records.write(['entries', idOf(n)], {
        ...record,
        ...(n % 2 === 0 ? OWNER : {}),
        timeMs: clock.ms,
        detail: `${n}`,
      });
    records.write(['state'], { written: 4, kept: 4, oldest: idOf(0) });
  });
  const { log } = auditTestBed({ recordStore, clock, retention: { maxEntries: 1, maxAgeMs: 1_000 } });
  const details = async () => (await log.search('p', ALL)).entries.map(({ detail }) => detail);
  expect(await details()).toEqual(['3', '2', '1', '0']);
  log.notify(auditEvent({ detail: 'later' }));
  expect(await details()).toEqual(['later', '2', '0']);
  log.notify(auditEvent({ ...OWNER, detail: 'last' }));
  expect((await log.search('p', ALL)).entries.map(({ id }) => id.slice(-1))).toEqual(['5', '4', '2', '0']);
});

test('[I724] of equal events in a minute, five have their own entries, and one more counts the others', async () => {
  const { log, clock } = auditTestBed();
  const startMs = clock.ms;
  for (let n = 0; n < 52; n++) {
    log.notify(auditEvent({ requestId: `r${n}` }));
    if (n % 10 === 0) await log.flush();
    clock.ms += 1_000;
  }
  log.notify(auditEvent({ uid: 'other' }));
  const { entries } = await log.search('p', ALL);
  expect(entries.map(({ uid, count }) => [uid, count])).toEqual([
    ['other', 1],
    ['u1', 47],
    ...Array.from({ length: 5 }, () => ['u1', 1]),
  ]);
  expect(entries[1]).toMatchObject({
    requestId: 'r5',
    timeMs: startMs + 5_000,
    lastTimeMs: startMs + 51_000,
  });
  clock.ms += 8_000;
  log.notify(auditEvent());
  expect((await log.search('p', ALL)).entries[0]).toMatchObject({ uid: 'u1', count: 1 });
});

test('[I724] repeated rejected requests do not use up the limit for rejected ones', async () => {
  const { log } = auditTestBed();
  for (let n = 0; n < 5_000; n++) log.notify(auditEvent({ result: 'INVALID_PASSWORD' }));
  log.notify(auditEvent({ result: 'USER_DISABLED' }));
  const { entries } = await log.search('p', ALL);
  expect(entries.map(({ result, count }) => [result, count]).slice(0, 2)).toEqual([
    ['USER_DISABLED', 1],
    ['INVALID_PASSWORD', 4_995],
  ]);
});

test('[I503][I724] rejected requests do not evade their limit by being repeated', async () => {
  const { log } = auditTestBed();
  for (let uid = 0; uid < 2_000; uid++)
    for (let n = 0; n < 8; n++)
      log.notify(auditEvent({ result: 'INVALID_PASSWORD', uid: `u${uid}`, address: `192.0.${uid % 50}.1` }));
  await log[Symbol.asyncDispose]();
  const { entries } = await log.search('p', { ...ALL, limit: 5_000 });
  expect(entries).toHaveLength(1_001);
  const counted = entries
    .filter(({ event }) => event === 'sign_in')
    .reduce((sum, { count }) => sum + count, 0);
  expect(entries[0]?.detail).toBe(`${16_000 - counted} events`);
});

test('[I724] an administrator with very many different events gets one entry for each kind and minute', async () => {
  const { log, clock } = auditTestBed();
  const change = (n: number): void =>
    log.notify(auditEvent({ event: 'account_updated', actor: 'editor', uid: `u${n}`, detail: 'claims' }));
  for (let n = 0; n < 10_500; n++) {
    change(n);
    if (n % 5_000 === 0) await log.flush();
  }
  log.notify(auditEvent({ ...OWNER, detail: 'by another' }));
  const first = (await log.search('p', ALL)).entries;
  expect(first.slice(0, 3)).toMatchObject([
    { detail: 'by another', count: 1 },
    { event: 'account_updated', actor: 'editor', uid: null, detail: null, count: 500 },
    { uid: 'u9999', count: 1 },
  ]);
  clock.ms += 60_000;
  for (let n = 20_000; n < 20_010; n++) change(n);
  const later = (await log.search('p', ALL)).entries.slice(0, 7).map(({ uid, count }) => [uid, count]);
  expect(later).toEqual([[null, 4], ...Array.from({ length: 6 }, (_, n) => [`u${20_005 - n}`, 1])]);
});

test.each([
  [10, [1, 2, 3], Number.POSITIVE_INFINITY],
  [5, [1, 2, 3], 2],
  [10, [100], 10],
  [10, [1, 100, 100], 4],
  [0, [], Number.POSITIVE_INFINITY],
])('[I502] %d entries in all, of logs with %j, leave each at most %d', (total, counts, share) => {
  expect(shareOf(total, counts)).toBe(share);
});

test('[I503] at most ten thousand events wait, and further events are only counted', async () => {
  const { log } = auditTestBed();
  for (let n = 0; n < 10_003; n++) log.notify(auditEvent({ uid: `u${n}` }));
  await log[Symbol.asyncDispose]();
  const { entries } = await log.search('p', { ...ALL, limit: 2 });
  expect(entries).toMatchObject([
    { event: 'audit_lost', actor: 'server', detail: '3 events' },
    { uid: 'u9999' },
  ]);
});

test('[I503] of many rejected requests, the first thousand are recorded, and then one per second', async () => {
  const { log, clock } = auditTestBed();
  const reject = (count: number): void => {
    for (let n = 0; n < count; n++)
      log.notify(
        auditEvent({ result: 'INVALID_PASSWORD', uid: `rejected ${n}`, address: `192.0.${n % 50}.1` }),
      );
  };
  reject(1_500);
  log.notify(auditEvent({ uid: 'mine' }));
  clock.ms += 2_000;
  reject(500);
  await log[Symbol.asyncDispose]();
  const { entries } = await log.search('p', { ...ALL, limit: 2_000 });
  expect(entries).toHaveLength(1_004);
  expect(entries.slice(0, 5)).toMatchObject([
    { event: 'audit_lost', detail: '998 events' },
    { uid: 'rejected 1' },
    { uid: 'rejected 0' },
    { uid: 'mine' },
    { uid: 'rejected 999' },
  ]);
});

test('[I504] events that could not be written are written later, in order', async () => {
  const clock = new TestClock();
  const recordStore = memoryRecordStore(clock);
  let isFull = true;
  const failing: RecordStore = {
    read: (body) => recordStore.read(body),
    change: (body) => (isFull ? Promise.reject(new Error('full')) : recordStore.change(body)),
    watch: (watcher) => recordStore.watch(watcher),
  };
  const { log, lines } = auditTestBed({ recordStore: failing, clock });
  for (let n = 0; n < 60; n++) log.notify(auditEvent({ uid: `u${n}` }));
  const flushed = log.flush();
  // Repetitions are counted in an entry that is being written.
  for (let n = 0; n < 20; n++) log.notify(auditEvent({ uid: 'repeated' }));
  await flushed;
  for (let n = 0; n < 20; n++) log.notify(auditEvent({ uid: 'repeated' }));
  expect(lines.join('')).toContain('audit events could not be written');
  isFull = false;
  log.notify(auditEvent({ uid: 'u60' }));
  expect(await uidsOf(log)).toEqual([
    'u60',
    ...Array.from({ length: 6 }, () => 'repeated'),
    ...Array.from({ length: 60 }, (_, n) => `u${59 - n}`),
  ]);
  expect((await log.search('p', { ...ALL, limit: 2 })).entries[1]?.count).toBe(35);
  await log[Symbol.asyncDispose]();
});

const ANY = ALL.filter;
test.each<readonly [Partial<AuditFilter>, readonly string[]]>([
  [{}, ['e', 'd', 'c', 'b', 'a']],
  [{ events: new Set(['sign_in']) }, ['c', 'b', 'a']],
  [{ events: new Set(['account_updated', 'account_deleted']) }, ['e', 'd']],
  [{ uid: 'b' }, ['b']],
  [{ actor: 'owner' }, ['e', 'd']],
  [{ result: 'USER_DISABLED' }, ['b']],
  [{ actor: 'app', result: 'ok' }, ['c', 'a']],
  [{ uid: 'nobody' }, []],
])('[I505] a search with the filter %j finds %j', async (filter, uids) => {
  const { log, clock } = auditTestBed();
  for (const change of [
    { uid: 'a' },
    { uid: 'b', result: 'USER_DISABLED' },
    { uid: 'c' },
    { uid: 'd', event: 'account_updated', actor: 'owner' },
    { uid: 'e', event: 'account_deleted', actor: 'owner' },
  ] as const) {
    clock.ms += 10;
    log.notify(auditEvent(change));
  }
  const { entries } = await log.search('p', { ...ALL, filter: { ...ANY, ...filter } });
  expect(entries.map(({ uid }) => uid)).toEqual(uids);
});

test('[I505] pages between two times are consecutive, even while events are added', async () => {
  const { log, clock } = auditTestBed();
  const startMs = clock.ms;
  for (let n = 0; n < 10; n++) {
    log.notify(auditEvent({ uid: `u${n}` }));
    clock.ms += 10;
  }
  const times = { sinceMs: startMs + 20, untilMs: startMs + 80 };
  const seen: (string | null)[] = [];
  let before: string | null = null;
  do {
    const page = await log.search('p', { ...ALL, ...times, before, limit: 4 });
    seen.push(...page.entries.map(({ uid }) => uid));
    before = page.next;
    log.notify(auditEvent({ uid: 'new' }));
  } while (before !== null);
  expect(seen).toEqual(['u7', 'u6', 'u5', 'u4', 'u3', 'u2']);
});

test('[I505] a page ends after 20,000 scanned entries and has the start of the next page', async () => {
  const { log } = auditTestBed();
  for (let n = 0; n < 20_050; n++) {
    log.notify(auditEvent({ uid: n === 10 ? 'sought' : `other ${n}` }));
    if (n % 5_000 === 0) await log.flush();
  }
  const search = { ...ALL, filter: { ...ANY, uid: 'sought' } };
  const first = await log.search('p', search);
  expect(first).toEqual({ entries: [], next: expect.any(String) });
  const second = await log.search('p', { ...search, before: first.next });
  expect(second).toMatchObject({ entries: [{ uid: 'sought' }], next: null });
});

test('[I641] events that have waited for 50 ms are written together with the next transaction for which join is called', async () => {
  const clock = new TestClock();
  const recordStore = memoryRecordStore(clock);
  const { log } = auditTestBed({ recordStore, clock });
  log.notify(auditEvent());
  const isWritten = () => {
    log.join();
    return recordStore.change(
      (transaction) =>
        transaction.records(auditRecords('p')).listKeys(['entries'], { limit: 1 }).length === 1,
    );
  };
  clock.ms += 49;
  expect(await isWritten()).toBe(false);
  clock.ms += 1;
  expect(await isWritten()).toBe(true);
  log.join();
  await log[Symbol.asyncDispose]();
});
