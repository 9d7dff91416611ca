import { expect, test } from 'vitest';
import { memoryRecordStore, TestClock } from '../records/memory-records.fixture.ts';
import type { RecordStore } from '../records/store.ts';
import type { AuditFilter } from './search.ts';
import { auditRecords } from './store.ts';
import { ALL, auditEvent, auditTestBed } from './test-bed.fixture.ts';

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
  const { projectId: _projectId, ...reported } = auditEvent();
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
  for (let n = 0; n < 300; n++) log.notify(auditEvent());
  await log.flush();
  const smaller = auditTestBed({
    recordStore,
    clock,
    retention: { maxEntries: 10, maxAgeMs: 1_000_000 },
  }).log;
  const counts: number[] = [];
  for (let n = 0; n < 4; n++) {
    smaller.notify(auditEvent());
    counts.push((await smaller.search('p', { ...ALL, limit: 500 })).entries.length);
  }
  expect(counts).toEqual([200, 100, 10, 10]);
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
      log.notify(auditEvent({ result: 'INVALID_PASSWORD', uid: `rejected ${n}` }));
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
  await log.flush();
  expect(lines.join('')).toContain('audit events could not be written');
  isFull = false;
  log.notify(auditEvent({ uid: 'u60' }));
  expect(await uidsOf(log)).toEqual(Array.from({ length: 61 }, (_, n) => `u${60 - n}`));
  await log[Symbol.asyncDispose]();
});

const ANY = ALL.filter;
test.each<readonly [Partial<AuditFilter>, readonly string[]]>([
  [{}, ['e', 'd', 'c', 'b', 'a']],
  [{ event: 'sign_in' }, ['c', 'b', 'a']],
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
    log.notify(auditEvent({ uid: n === 10 ? 'sought' : 'other' }));
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
