import { ResourcePool } from '../../platform/resource-pool.ts';
import type { WaitingPlaces } from './hashing-queue.ts';

/** Opens `count` places for sign-ins, and half as many for each other purpose. */
export function openWaitingPlaces(count = 200, ofNetwork = count): WaitingPlaces {
  const half = Math.ceil(count / 2);
  return {
    'sign-in': openPlaces(count, ofNetwork),
    foreign: openPlaces(half, ofNetwork),
    'new-password': openPlaces(half, ofNetwork),
    challenge: openPlaces(half, ofNetwork),
  };
}

/** Opens places that all purposes share. */
export function openSharedPlaces(count: number): WaitingPlaces {
  const places = openPlaces(count, count);
  return { 'sign-in': places, foreign: places, 'new-password': places, challenge: places };
}

function openPlaces(total: number, ofNetwork: number): ResourcePool {
  return new ResourcePool({ total, reserve: 0, ofNetwork, idleMs: Number.POSITIVE_INFINITY }, () => 0);
}
