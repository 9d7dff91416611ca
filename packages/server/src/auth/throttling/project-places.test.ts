import { expect, test } from 'vitest';
import type { PoolLimits } from '../../platform/resource-pool.ts';
import { ProjectPlaces } from './project-places.ts';

/** Opens places for tests: 6 in total and 4 for a project, of which a network has 3. */
function openPlaces(idleMs: number) {
  const limits = (total: number): PoolLimits => ({ total, reserve: 0, ofNetwork: 3, idleMs });
  const places = new ProjectPlaces({ all: limits(6), ofProject: limits(4), nowMs: () => 0 });
  const evicted: string[] = [];
  const take = (project: string, network: string, name: string) =>
    places.take(project, { network, isPrivileged: false }, () => evicted.push(name));
  return { take, evicted };
}

test('[H620] if a project has used its places, another network takes the oldest place of the network with the most', () => {
  const { take, evicted } = openPlaces(Number.POSITIVE_INFINITY);
  for (const name of ['a1', 'a2', 'a3']) expect(take('shop', 'a', name)).toBeDefined();
  expect(take('shop', 'a', 'a4')).toBeUndefined();
  expect(take('shop', 'b', 'b1')).toBeDefined();
  expect(take('shop', 'c', 'c1')).toBeDefined();
  expect(evicted).toEqual(['a1']);
});

test('[H620] a project cannot take all places, and its ended work frees its places', () => {
  const { take, evicted } = openPlaces(Number.POSITIVE_INFINITY);
  const own = ['a', 'b', 'c', 'd'].map((network) => take('shop', network, network));
  expect(take('shop', 'e', 'e')).toBeUndefined();
  expect(take('blog', 'e', 'e')).toBeDefined();
  own[0]?.release();
  own[0]?.release();
  expect(take('shop', 'e', 'e')).toBeDefined();
  expect(evicted).toEqual([]);
});

test('[H620] without a protected time, the newest request takes the oldest place, whatever its network', () => {
  const { take, evicted } = openPlaces(0);
  for (const name of ['a1', 'a2', 'a3', 'a4']) expect(take('shop', 'a', name)).toBeDefined();
  expect(evicted).toEqual(['a1']);
  for (const network of ['b', 'c', 'd', 'e', 'f']) expect(take('shop', network, network)).toBeDefined();
  expect(evicted).toEqual(['a1', 'a2', 'a3', 'a4', 'b']);
});
