import { expect, test } from 'vitest';
import type { DataSubject } from '../realtime/monitoring/data-actions.ts';
import { ALL, auditEvent, auditTestBed } from './test-bed.fixture.ts';

function action(subject: Partial<DataSubject>, actor = 'backend@example.com') {
  return auditEvent({ event: 'data_deleted', uid: null, actor, subject: { database: 'd', ...subject } });
}

async function subjectsOf({ log }: ReturnType<typeof auditTestBed>) {
  const { entries } = await log.search('p', { ...ALL, limit: 1_000 });
  return entries.map(({ subject, count }) => ({ ...subject, times: count }));
}

test('[I1563] actions beyond the fifth in a minute are one entry with their common path and their sums', async () => {
  const bed = auditTestBed();
  for (let n = 0; n < 9; n += 1) bed.log.notify(action({ path: `/rooms/a/${n}`, count: 2 }));
  bed.log.notify(action({ path: '/rooms/b', count: 1 }));
  expect(await subjectsOf(bed)).toEqual([
    { database: 'd', path: '/rooms', count: 9, times: 5 },
    ...[4, 3, 2, 1, 0].map((n) => ({ database: 'd', path: `/rooms/a/${n}`, count: 2, times: 1 })),
  ]);
});

test.each<readonly [Partial<DataSubject>, Partial<DataSubject>, Partial<DataSubject>]>([
  [{ path: '/a/b' }, { path: '/a/b' }, { path: '/a/b' }],
  [{ path: '/a/b' }, { path: '/a' }, { path: '/a' }],
  [{ path: '/a' }, { path: '/ab' }, { path: '/' }],
  [{ path: '/' }, { path: '/a' }, { path: '/' }],
  [{ bytes: 5, change: 1 }, { bytes: 6, change: 2 }, { bytes: 11 }],
  [{ path: '/a', count: 3 }, { count: 4 }, { count: 7 }],
  [{ rulesVersion: 3 }, { rulesVersion: 4 }, {}],
])('[I1563] an entry for %j and %j has %j', async (first, second, joined) => {
  const bed = auditTestBed();
  for (let n = 0; n < 5; n += 1) bed.log.notify(action({}));
  bed.log.notify(action(first));
  bed.log.notify(action(second));
  expect((await subjectsOf(bed))[0]).toEqual({ database: 'd', ...joined, times: 2 });
});

test('[I1563] actions of another database, administrator or kind have entries of their own', async () => {
  const bed = auditTestBed();
  for (let n = 0; n < 7; n += 1) {
    bed.log.notify(action({}));
    bed.log.notify(action({ database: 'e' }));
    bed.log.notify(action({}, 'other@example.com'));
    bed.log.notify({ ...action({}), event: 'data_exported' });
  }
  expect((await subjectsOf(bed)).filter(({ times }) => times === 2)).toHaveLength(4);
});

test('[I1563] a backend that deletes continuously adds a limited number of entries an hour', async () => {
  const bed = auditTestBed();
  const HOURS = 48;
  for (let minute = 0; minute < HOURS * 60; minute += 1) {
    for (let n = 0; n < 20; n += 1) bed.log.notify(action({ path: `/${minute}/${n}`, count: 1 }));
    bed.clock.ms += 60_000;
    if (minute % 10 === 0) await bed.log.flush();
  }
  const subjects = await subjectsOf(bed);
  // The entries are: at most the first five of the minute, one every ten minutes, and one per hour that counts the
  // other actions.
  expect(subjects.length).toBeLessThanOrEqual(200 + HOURS * 6 + HOURS + 1);
  const counted = subjects.reduce((sum, { count }) => sum + (count ?? 0), 0);
  expect(counted).toBe(HOURS * 60 * 20);
});

test('[I1561] a long path is cut, and a path that looks like a secret is not redacted', async () => {
  const bed = auditTestBed();
  const secret = '/users/kDx0PpqXy3W5c1R8aTnV2bZs7mE4/code/123456';
  bed.log.notify(action({ path: secret }));
  bed.log.notify(action({ path: `/${'x'.repeat(2_000)}` }));
  expect((await subjectsOf(bed)).map(({ path }) => path)).toEqual([`/${'x'.repeat(767)}`, secret]);
});

test('[I1561] members of a stored subject that this version of Hearth does not know are omitted', async () => {
  const bed = auditTestBed();
  bed.log.notify(action({ path: '/a' }));
  await bed.log.flush();
  await bed.recordStore.change((transaction) => {
    const records = transaction.records('audit:p');
    const [id = ''] = records.listKeys(['admin'], { limit: 1 });
    records.write(['admin', id, 'subject'], { database: 'd', path: 7, count: 'x', later: true, bytes: 3 });
  });
  expect(await subjectsOf(bed)).toEqual([{ database: 'd', bytes: 3, times: 1 }]);
});
