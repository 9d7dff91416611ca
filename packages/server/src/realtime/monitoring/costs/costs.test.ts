import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { ADMIN, ANONYMOUS, type Principal } from '../../../access/principal.ts';
import { CostSampler, DatabaseCosts } from './costs.ts';

const RULES = parseRules('{"rules":{"rooms":{"$room":{}}}}').root;
const COST = { events: 1, sentBytes: 10, ms: 0.5 };
const MINUTE_MS = 60_000;

function user(uid: string): Principal {
  return { kind: 'user', auth: { uid }, expiresAtMs: null };
}

function addRoom(costs: DatabaseCosts, room: string, cost = COST): void {
  costs.addToPath({ kind: 'listen', path: parsePath(`rooms/${room}`), query: null }, RULES, cost);
}

test('[H880] costs at paths that match one wildcard are added, by kind and query, most bytes first', () => {
  const costs = new DatabaseCosts();
  costs.tick(1_000);
  addRoom(costs, 'a');
  addRoom(costs, 'b');
  const query = 'limitToLast(3)';
  costs.addToPath({ kind: 'broadcast', path: parsePath('rooms/a'), query }, RULES, {
    ...COST,
    sentBytes: 99,
  });
  expect(costs.read(10)).toEqual({
    sinceMs: 1_000,
    paths: [
      { kind: 'broadcast', path: '/rooms/$room', query, events: 1, sentBytes: 99, ms: 0.5 },
      { kind: 'listen', path: '/rooms/$room', query: null, events: 2, sentBytes: 20, ms: 1 },
    ],
    accounts: [],
    otherPaths: { events: 0, sentBytes: 0, ms: 0 },
    otherAccounts: { events: 0, sentBytes: 0, ms: 0 },
  });
});

test('[H880] costs are charged to users, guests, administrators, and members of the console', () => {
  const costs = new DatabaseCosts();
  const member = {
    kind: 'member',
    projectId: 'p',
    uid: 'm',
    role: 'owner',
    issuedAtSec: 0,
    sessionIds: [],
  } as const;
  for (const principal of [
    user('ann'),
    ANONYMOUS,
    ADMIN,
    { kind: 'admin', grant: member } as const,
    user('ann'),
  ])
    costs.addToAccount(principal, COST);
  expect(costs.read(10).accounts.map(({ account, events }) => [account, events])).toEqual([
    [{ kind: 'user', uid: 'ann' }, 2],
    [{ kind: 'guest' }, 1],
    [{ kind: 'admin' }, 1],
    [{ kind: 'member' }, 1],
  ]);
});

test('[H881] costs are kept for 10 to 20 minutes', () => {
  const costs = new DatabaseCosts();
  costs.tick(0);
  addRoom(costs, 'a');
  costs.tick(10 * MINUTE_MS);
  addRoom(costs, 'a');
  expect(costs.read(10)).toMatchObject({ sinceMs: 0, paths: [{ events: 2 }] });
  costs.tick(20 * MINUTE_MS);
  expect(costs.read(10)).toMatchObject({ sinceMs: 10 * MINUTE_MS, paths: [{ events: 1 }] });
  costs.tick(45 * MINUTE_MS);
  expect(costs.read(10)).toMatchObject({ sinceMs: 45 * MINUTE_MS, paths: [] });
});

test('[H881] a clock that goes back begins again', () => {
  const costs = new DatabaseCosts();
  costs.tick(10 * MINUTE_MS);
  addRoom(costs, 'a');
  costs.tick(0);
  expect(costs.read(10)).toMatchObject({ sinceMs: 0, paths: [] });
});

test('[H881] of many paths, those with the highest costs are listed, and the others are summed up', () => {
  const costs = new DatabaseCosts();
  const add = (path: string, cost: typeof COST): void =>
    costs.addToPath({ kind: 'read', path: parsePath(path), query: null }, RULES, cost);
  const others = 5_000;
  for (let index = 0; index < others; index++) {
    add(`other/n${index}x`, { events: 1, sentBytes: 1, ms: 0 });
    if (index % 10 === 0) add('long', { events: 1, sentBytes: 1_000, ms: 0 });
    if (index % 10 === 1) add('slow', { events: 1, sentBytes: 0, ms: 20 });
  }
  const { paths, otherPaths } = costs.read(2);
  expect(paths.map(({ path }) => path)).toEqual(['/long', '/slow']);
  expect(paths).toMatchObject([{ sentBytes: 500_000 }, { ms: 10_000 }]);
  expect(otherPaths).toMatchObject({ events: others, sentBytes: others });
  const all = costs.read(10_000);
  expect(all.paths.length).toBeLessThanOrEqual(200);
});

test('[H881] of the events of a second, the first 50 are all counted, and one in 251 of the others counts for these 251', () => {
  const sampler = new CostSampler();
  const weights = (count: number): number =>
    Array.from({ length: count }, () => sampler.next()).reduce((sum, weight) => sum + weight, 0);
  expect(weights(50)).toBe(50);
  expect(weights(200)).toBe(0);
  expect(weights(251)).toBe(251);
  sampler.tick();
  expect(weights(10)).toBe(10);
});
