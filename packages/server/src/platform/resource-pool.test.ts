import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Holder, Lease } from './lease.ts';
import { MANY_CLIENTS, type PoolLimits, ResourcePool } from './resource-pool.ts';

const LIMITS: PoolLimits = { total: 10, reserve: 2, ofNetwork: 6, idleMs: 1_000 };

/** A pool with a clock that the test sets, and the names of the leases that were evicted. */
class PoolTestBed {
  nowMs = 0;
  readonly evicted: string[] = [];
  readonly pool: ResourcePool;

  constructor(limits: Partial<PoolLimits> = {}) {
    this.pool = new ResourcePool({ ...LIMITS, ...limits }, () => this.nowMs);
  }

  take(name: string, holder: Partial<Holder> = {}, amount = 1): Lease | undefined {
    const lease = this.pool.take({ network: 'n1', isPrivileged: false, ...holder }, amount, () => {
      this.evicted.push(name);
      lease?.release();
    });
    return lease;
  }

  takeMany(count: number, network: string): readonly (Lease | undefined)[] {
    return Array.from({ length: count }, (_, index) => this.take(`${network}-${index}`, { network }));
  }
}

test('[H540] one network holds at most its share', () => {
  const testBed = new PoolTestBed();
  expect(testBed.takeMany(7, 'n1').filter((lease) => lease === undefined)).toHaveLength(1);
  expect(testBed.pool.usage).toEqual({ used: 6, networks: 1, rejected: 1, evicted: 0 });
});

test('[H540] a network at its limit replaces its own idle leases, the longest idle first', () => {
  const testBed = new PoolTestBed();
  const [first] = testBed.takeMany(6, 'n1');
  testBed.nowMs = 500;
  first?.recordProgress();
  testBed.nowMs = 1_200;
  expect(testBed.take('new')).toBeDefined();
  expect(testBed.evicted).toEqual(['n1-1']);
});

test('[H541] when the resource is used up, a newcomer takes from the network that holds the most', () => {
  const testBed = new PoolTestBed();
  testBed.takeMany(6, 'n1');
  testBed.takeMany(2, 'n2');
  expect(testBed.take('new', { network: 'n3' })).toBeDefined();
  expect(testBed.evicted).toEqual(['n1-0']);
  expect(testBed.pool.usage).toMatchObject({ used: 8, networks: 3, rejected: 0, evicted: 1 });
});

test('[H553] the networks of an IPv6 site count together', () => {
  const testBed = new PoolTestBed({ total: 20, reserve: 0, ofNetwork: 12 });
  testBed.takeMany(6, '198.51.100.7');
  const ofSite = (n: number): string => `2001:db8:1:${n.toString(16)}::/64`;
  for (let n = 0; n < 12; n++) testBed.take(`site-${n}`, { network: ofSite(n) });
  testBed.take('site-0 again', { network: ofSite(0) });
  // The thirteenth replaces no lease of its site, because no network of the site holds more than one.
  expect(testBed.pool.usage).toMatchObject({ used: 18, rejected: 1 });
  testBed.takeMany(2, '2001:db8:2:1::/64');
  expect(testBed.evicted).toEqual([]);
  expect(testBed.take('other', { network: '203.0.113.9' })).toBeDefined();
  expect(testBed.evicted).toHaveLength(1);
  expect(testBed.evicted[0]).toMatch(/^site-/);
});

test('[H553] within a site, the network that holds the most makes room', () => {
  const testBed = new PoolTestBed({ total: 20, reserve: 0, ofNetwork: 6 });
  testBed.takeMany(5, '2001:db8:1:a::/64');
  testBed.takeMany(1, '2001:db8:1:b::/64');
  expect(testBed.take('new', { network: '2001:db8:1:c::/64' })).toBeDefined();
  expect(testBed.evicted).toEqual(['2001:db8:1:a::/64-0']);
  expect(testBed.take('another', { network: '2001:db8:2:c::/64' })).toBeDefined();
  expect(testBed.pool.usage.used).toBe(7);
});

test('[H541] a newcomer of the network that holds the most is rejected', () => {
  const testBed = new PoolTestBed({ ofNetwork: 8 });
  testBed.takeMany(6, 'n1');
  testBed.takeMany(2, 'n2');
  expect(testBed.take('new', { network: 'n1' })).toBeUndefined();
  expect(testBed.evicted).toEqual([]);
});

test('[H541] of the leases of one network, the one without progress for the longest time is evicted', () => {
  const testBed = new PoolTestBed();
  const leases = testBed.takeMany(6, 'n1');
  testBed.takeMany(2, 'n2');
  testBed.nowMs = 10;
  for (const lease of leases.filter((_, index) => index !== 3)) lease?.recordProgress();
  testBed.take('new', { network: 'n3' });
  expect(testBed.evicted).toEqual(['n1-3']);
});

test('[H542] only privileged peers may use the reserve, and the reserve is never taken from these peers', () => {
  const testBed = new PoolTestBed({ ofNetwork: 10 });
  testBed.takeMany(8, 'n1');
  expect(testBed.take('guest', { network: 'n1' })).toBeUndefined();
  const admin = { network: 'n1', isPrivileged: true };
  expect(testBed.take('admin', admin)).toBeDefined();
  expect(testBed.take('admin 2', admin)).toBeDefined();
  testBed.take('new', { network: 'n2' });
  expect(testBed.evicted).not.toContain('admin');
});

test('[H540] a lease grows within the same limits, and the amount that it releases is free again', () => {
  const testBed = new PoolTestBed();
  const lease = testBed.take('a', {}, 4);
  expect(lease?.grow(2)).toBe(true);
  expect(lease?.grow(1)).toBe(false);
  expect(lease?.amount).toBe(6);
  lease?.release();
  lease?.release();
  expect(testBed.take('b', {}, 5)).toBeDefined();
  expect(testBed.pool.usage.used).toBe(5);
});

test('[H541] an evicted lease cannot grow', () => {
  const testBed = new PoolTestBed({ ofNetwork: 8 });
  const [first] = testBed.takeMany(8, 'n1');
  testBed.take('new', { network: 'n2' });
  expect(testBed.evicted).toEqual(['n1-0']);
  expect(first?.grow(1)).toBe(false);
  first?.recordProgress();
  expect(testBed.pool.usage).toMatchObject({ used: 8, networks: 2 });
});

test('[H540] an idle lease is found, even if many older leases make progress', () => {
  const testBed = new PoolTestBed({ total: 1_000, ofNetwork: 500 });
  const leases = testBed.takeMany(500, 'n1');
  testBed.nowMs = 2_000;
  for (const lease of leases.slice(0, 400)) lease?.recordProgress();
  expect(testBed.take('new')).toBeDefined();
  expect(testBed.evicted).toEqual(['n1-400']);
});

test('[H541] leases that hold nothing are not evicted, and other leases of their network still are', () => {
  const testBed = new PoolTestBed({ ofNetwork: 8 });
  for (let index = 0; index < 600; index++) testBed.take('empty', {}, 0);
  testBed.take('full', {}, 8);
  expect(testBed.take('new', { network: 'n2' })).toBeDefined();
  expect(testBed.evicted).toEqual(['full']);
});

test('[H541] several leases are evicted if one alone frees too little', () => {
  const testBed = new PoolTestBed({ total: 100, reserve: 0, ofNetwork: 100 });
  for (let index = 0; index < 50; index++) testBed.take(`n${index % 2}`, { network: `n${index % 2}` }, 2);
  expect(testBed.take('new', { network: 'new' }, 10)).toBeDefined();
  expect(testBed.evicted).toHaveLength(5);
  expect(new Set(testBed.evicted)).toEqual(new Set(['n0', 'n1']));
});

test('[H540] peers that represent many clients evict leases of any network, and lose only idle leases', () => {
  const testBed = new PoolTestBed();
  testBed.takeMany(7, MANY_CLIENTS);
  testBed.take('a', { network: 'n1' });
  expect(testBed.take('proxied', { network: MANY_CLIENTS })).toBeDefined();
  expect(testBed.evicted).toEqual(['a']);
  expect(testBed.take('b', { network: 'n1' })).toBeUndefined();
  testBed.nowMs = 1_000;
  expect(testBed.take('b', { network: 'n1' })).toBeDefined();
  expect(testBed.evicted).toEqual(['a', '*-0']);
});

test('[H542] privileged peers that hold more than the reserve are evicted like others', () => {
  const testBed = new PoolTestBed({ ofNetwork: 10 });
  testBed.take('small', { network: 'n1', isPrivileged: true }, 1);
  testBed.take('large', { network: 'n2', isPrivileged: true }, 8);
  expect(testBed.pool.usage.used).toBe(9);
  testBed.take('guest', { network: 'n3' });
  expect(testBed.take('guest 2', { network: 'n4' })).toBeDefined();
  expect(testBed.evicted).toEqual(['large']);
});

test('[H542] a peer that holds nothing is admitted while privileged peers use more than the reserve', () => {
  const testBed = new PoolTestBed({ ofNetwork: 10 });
  testBed.take('admin', { network: 'n1', isPrivileged: true }, 10);
  const lease = testBed.pool.open({ network: 'n2', isPrivileged: false }, () => undefined);
  expect(lease.grow(1)).toBe(true);
  expect(testBed.evicted).toEqual(['admin']);
});

test('[H541] with 50,000 networks, 1,000 newcomers take little processor time', () => {
  const testBed = new PoolTestBed({ total: 100_000, reserve: 0, ofNetwork: 50_000 });
  for (let index = 0; index < 100_000; index++) testBed.take('', { network: `n${index % 50_000}` });
  const before = process.threadCpuUsage();
  for (let index = 0; index < 1_000; index++) testBed.take('', { network: `new${index}` });
  const { user, system } = process.threadCpuUsage(before);
  // In µs of processor time, because other work on the machine does not count. A search through all networks takes
  // seconds.
  expect(user + system).toBeLessThan(500_000);
  expect(testBed.evicted).toHaveLength(1_000);
});

test('[H540][H541] after any history, no limit is exceeded, other peers do not cause the rejection of a small newcomer, and no network loses a busy lease to one that would hold as much', () => {
  const step = fc.record({
    kind: fc.constantFrom('take', 'take', 'take', 'grow', 'release', 'progress', 'wait'),
    network: fc.constantFrom('n1', 'n2', 'n3', 'n4'),
    amount: fc.integer({ min: 1, max: 4 }),
    index: fc.nat({ max: 30 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const testBed = new PoolTestBed({ reserve: 0 });
      const leases: Lease[] = [];
      const heldBy = (network: string) =>
        leases.filter((lease) => lease.network === network).reduce((sum, { amount }) => sum + amount, 0);
      for (const { kind, network, amount, index } of steps) {
        const lease = leases[index % Math.max(1, leases.length)];
        if (kind === 'wait') testBed.nowMs += 400;
        else if (kind === 'grow') lease?.grow(amount);
        else if (kind === 'release') lease?.release();
        else if (kind === 'progress') lease?.recordProgress();
        else {
          const others = ['n1', 'n2', 'n3', 'n4'].filter((n) => n !== network);
          const before = others.map((other) => [other, heldBy(other)] as const);
          const open = leases.filter(({ isOpen }) => isOpen);
          const after = heldBy(network) + amount;
          const largestOther = Math.max(...before.map(([, held]) => held));
          const isFair = after <= Math.min(LIMITS.ofNetwork, largestOther - amount);
          const taken = testBed.take('x', { network }, amount);
          if (isFair) expect(taken).toBeDefined();
          const lostBusy = open.filter((l) => !l.isOpen && l.progressAtMs > testBed.nowMs - 1_000);
          for (const [other, held] of before)
            if (lostBusy.some((l) => l.network === other)) expect(held).toBeGreaterThan(after);
          if (taken !== undefined) leases.push(taken);
        }
        const total = leases.reduce((sum, { amount: held }) => sum + held, 0);
        expect(testBed.pool.usage.used).toBe(total);
        expect(total).toBeLessThanOrEqual(LIMITS.total);
        for (const each of ['n1', 'n2', 'n3', 'n4'])
          expect(heldBy(each)).toBeLessThanOrEqual(LIMITS.ofNetwork);
      }
    }),
  );
});

test('[H541] networks that each hold little are not evicted by a network that would hold more', () => {
  const testBed = new PoolTestBed({ total: 8, reserve: 0 });
  for (let index = 0; index < 8; index++) testBed.take(`small-${index}`, { network: `small-${index}` });
  for (let index = 0; index < 100; index++) testBed.take(`new-${index}`, { network: `new-${index}` });
  expect(testBed.evicted).toEqual([]);
  expect(testBed.pool.usage).toMatchObject({ used: 8, rejected: 100 });
});

test('[H541] when no network holds more than the newcomer would, the lease that has been idle longest makes room', () => {
  const testBed = new PoolTestBed({ total: 4, reserve: 0 });
  const leases = [0, 1, 2, 3].map((index) => testBed.take(`old-${index}`, { network: `old-${index}` }));
  testBed.nowMs = 999;
  expect(testBed.take('early', { network: 'early' })).toBeUndefined();
  leases[0]?.recordProgress();
  testBed.nowMs = 1_000;
  expect(testBed.take('new', { network: 'new' })).toBeDefined();
  expect(testBed.evicted).toEqual(['old-1']);
  leases[2]?.recordProgress();
  leases[3]?.recordProgress();
  expect(testBed.take('late', { network: 'late' })).toBeUndefined();
});

test('[H541] an old lease whose holder cannot make it progress is evicted only for a network that would hold no more', () => {
  const testBed = new PoolTestBed({ total: 6, reserve: 0, ofNetwork: 4, isAge: true });
  testBed.take('old', { network: 'small' });
  testBed.nowMs = 1_000;
  testBed.takeMany(2, 'large');
  testBed.takeMany(3, 'larger');
  expect(testBed.take('more', { network: 'large' })).toBeUndefined();
  expect(testBed.evicted).toEqual([]);
  const few = new PoolTestBed({ total: 2, reserve: 0, isAge: true });
  few.take('old', { network: 'n1' });
  few.take('young', { network: 'n2' });
  few.nowMs = 1_000;
  expect(few.take('new', { network: 'n3' })).toBeDefined();
  expect(few.evicted).toEqual(['old']);
});

test('[H554] an identity has one share through all networks, and replaces its own idle leases, the longest idle first', () => {
  const testBed = new PoolTestBed({ ofIdentity: 3 });
  const take = (name: string, network: string, identity = 'ada') => testBed.take(name, { network, identity });
  const [first] = ['n1', 'n2', 'n3'].map((network, index) => take(`ada-${index}`, network));
  expect(take('ada-3', 'n4')).toBeUndefined();
  expect(take('bob', 'n4', 'bob')).toBeDefined();
  expect(testBed.take('guest', { network: 'n4' })).toBeDefined();
  testBed.nowMs = 1_000;
  first?.recordProgress();
  expect(take('ada-4', 'n4')).toBeDefined();
  expect(testBed.evicted).toEqual(['ada-1']);
  first?.release();
  expect(take('ada-5', 'n1')).toBeDefined();
  expect(testBed.evicted).toEqual(['ada-1']);
});

test('[H554] what an identity holds of the reserve counts toward its share, and a request beyond the share evicts nothing', () => {
  const testBed = new PoolTestBed({ ofIdentity: 3 });
  const holder = { isPrivileged: true, identity: 'ada' };
  const lease = testBed.take('a', holder, 2);
  expect(lease?.reserved).toBe(2);
  testBed.nowMs = 5_000;
  expect(testBed.take('b', holder, 4)).toBeUndefined();
  expect(testBed.evicted).toEqual([]);
  expect([lease?.grow(1), lease?.grow(1)]).toEqual([true, false]);
});

test('[H540] peers whose network is unknown are limited like one network', () => {
  const testBed = new PoolTestBed();
  testBed.takeMany(6, '');
  expect(testBed.take('ended', { network: '' })).toBeUndefined();
});

test('[H547] the largest lease of the network that holds the most makes room, however busy it is', () => {
  const testBed = new PoolTestBed({ reserve: 0, ofNetwork: 10, idleMs: null });
  testBed.take('small', { network: 'n1' }, 1);
  const large = testBed.take('large', { network: 'n1' }, 6);
  testBed.take('other', { network: 'n2' }, 3);
  large?.recordProgress();
  expect(testBed.take('new', { network: 'n3' }, 2)).toBeDefined();
  expect(testBed.evicted).toEqual(['large']);
});

test('[H547] within a network, a lease makes room only for a lease that holds less', () => {
  const testBed = new PoolTestBed({ reserve: 0, ofNetwork: 6, idleMs: null });
  testBed.take('a', {}, 4);
  const b = testBed.take('b', {}, 2);
  expect(b?.resize(4)).toBe(false);
  expect(b?.amount).toBe(2);
  expect(testBed.evicted).toEqual([]);
  expect(b?.resize(3)).toBe(true);
  expect(testBed.evicted).toEqual(['a']);
});

test('[H547] a lease that shrinks makes room, and its rank among the leases changes', () => {
  const testBed = new PoolTestBed({ reserve: 0, ofNetwork: 10, idleMs: null });
  const a = testBed.take('a', {}, 6);
  testBed.take('b', {}, 3);
  expect(a?.resize(2)).toBe(true);
  expect(testBed.pool.usage.used).toBe(5);
  expect(testBed.pool.findLargest(4)).toBeUndefined();
  const largest = testBed.pool.findLargest(3);
  expect(largest).not.toBe(a);
  if (largest !== undefined) testBed.pool.evict(largest);
  expect(testBed.evicted).toEqual(['b']);
  expect(testBed.pool.findLargest(0)).toBe(a);
  expect(testBed.pool.usage).toMatchObject({ used: 2, evicted: 1 });
});

test('[H542][H547] a privileged lease that shrinks returns its shared amount before its reserved amount', () => {
  const testBed = new PoolTestBed({ idleMs: null });
  const lease = testBed.take('admin', { isPrivileged: true }, 5);
  expect([lease?.shared, lease?.reserved]).toEqual([3, 2]);
  lease?.resize(1);
  expect([lease?.shared, lease?.reserved]).toEqual([0, 1]);
});

test('[H547] leases of peers that represent many clients also make room for smaller ones', () => {
  const testBed = new PoolTestBed({ reserve: 0, ofNetwork: 5, idleMs: null });
  testBed.take('proxied', { network: MANY_CLIENTS }, 9);
  expect(testBed.take('new', { network: MANY_CLIENTS }, 2)).toBeDefined();
  expect(testBed.evicted).toEqual(['proxied']);
  expect(testBed.take('n1', { network: 'n1' }, 5)).toBeDefined();
});

test('[H541] a request for more than the whole resource evicts nothing', () => {
  const testBed = new PoolTestBed({ reserve: 0, ofNetwork: 10, idleMs: null });
  testBed.take('a', { network: 'n1' }, 4);
  expect(testBed.take('many', { network: MANY_CLIENTS }, 11)).toBeUndefined();
  expect(testBed.evicted).toEqual([]);
});
