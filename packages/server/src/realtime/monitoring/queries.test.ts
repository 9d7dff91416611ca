import { expect, test } from 'vitest';
import { type QueryCost, QueryLog } from './queries.ts';

const QUERY: QueryCost = {
  location: '/rooms/$room',
  orderBy: 'age',
  isIndexed: false,
  isRejected: false,
  ms: 3,
  children: 100,
  atMs: 1_000,
};

test('[H440] queries with the same location and index are one entry', () => {
  const log = new QueryLog();
  log.record(QUERY);
  log.record({ ...QUERY, location: '/users' });
  log.record({ ...QUERY, ms: 1, children: 200, atMs: 2_000 });
  log.record({ ...QUERY, isRejected: true, ms: 0, children: null, atMs: 3_000 });
  expect(log.all()).toEqual([
    {
      location: '/rooms/$room',
      orderBy: 'age',
      isIndexed: false,
      count: 3,
      rejected: 1,
      slowestMs: 3,
      mostChildren: 200,
      latestAtMs: 3_000,
    },
    expect.objectContaining({ location: '/users', count: 1 }),
  ]);
});

test('[H440] the number of children is null if the log does not know it', () => {
  const log = new QueryLog();
  log.record({ ...QUERY, children: null });
  expect(log.all()[0]?.mostChildren).toBeNull();
});

test('[H441] beyond 200 entries, the entry that was recorded least recently is dropped', () => {
  const log = new QueryLog();
  for (let index = 0; index < 200; index++) log.record({ ...QUERY, location: `/l${index}` });
  log.record({ ...QUERY, location: '/l0' });
  log.record({ ...QUERY, location: '/new' });
  const locations = log.all().map(({ location }) => location);
  expect(locations).toHaveLength(200);
  expect(locations.slice(0, 2)).toEqual(['/new', '/l0']);
  expect(locations).not.toContain('/l1');
});
