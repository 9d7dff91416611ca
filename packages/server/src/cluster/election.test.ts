import { expect, test } from 'vitest';
import type { Heartbeat } from './bulletin.ts';
import { Election } from './election.ts';

const beat = (node: string, fields: Partial<Heartbeat> = {}): Heartbeat => ({
  node,
  incarnation: '1',
  head: 5,
  epoch: 0,
  address: '',
  sentMs: 0,
  hasStopped: false,
  failsSnapshots: false,
  isServing: false,
  hasReleased: false,
  successor: '',
  ...fields,
});

const NODES = ['a', 'b', 'c'];

/** Returns the time at which each node claims, if all nodes were heard at 0 and none is heard after that. */
function claimTimes(shard: string, heads: Readonly<Record<string, number>> = {}): Map<string, number> {
  return new Map(
    NODES.map((node) => {
      const election = new Election({ shard, node }, 0);
      for (const other of NODES) election.hear(beat(other, { head: heads[other] ?? 5 }), 0);
      let atMs = 0;
      while (!election.shouldClaim(heads[node] ?? 5, atMs) && atMs < 10_000) atMs += 100;
      return [node, atMs];
    }),
  );
}

test('[D12] after a silence the nodes claim one after the other', () => {
  expect([...claimTimes('0').values()].sort()).toEqual([1_200, 1_500, 1_800]);
});

test('[D12] the first node differs from shard to shard', () => {
  const first = (shard: string) => [...claimTimes(shard)].find(([, atMs]) => atMs === 1_200)?.[0];
  expect(new Set(Array.from({ length: 20 }, (_, shard) => first(String(shard))))).toEqual(new Set(NODES));
});

test('[D12] a node does not claim while a live node has read more', () => {
  expect(claimTimes('0', { a: 9 }).get('b')).toBe(2_000);
});

test('[D12] a sequencer that is heard keeps its term', () => {
  const election = new Election({ shard: '0', node: 'a' }, 0);
  for (let atMs = 0; atMs < 5_000; atMs += 250) {
    election.hear(beat('b', { epoch: 3 }), atMs);
    expect(election.shouldClaim(5, atMs)).toBe(false);
  }
});

test('[D12] the heartbeats of an older epoch do not count', () => {
  const election = new Election({ shard: '0', node: 'a' }, 0);
  election.hear(beat('b', { epoch: 3 }), 0);
  election.hear(beat('c', { epoch: 2 }), 1_900);
  // Late enough for every rank among three nodes.
  expect(election.shouldClaim(5, 1_900)).toBe(true);
});

test('[D12] after a hand-over the first of the other nodes claims immediately', () => {
  const claiming = NODES.filter((node) => {
    const election = new Election({ shard: '0', node }, 0);
    for (const other of NODES) election.hear(beat(other), 0);
    election.hear(beat('a', { epoch: 2 }), 0);
    election.hear(beat('a', { epoch: 2, hasReleased: true }), 0);
    return election.shouldClaim(5, 700);
  });
  expect(claiming).not.toContain('a');
  expect(claiming.length).toBeGreaterThan(0);
});

test('[D12] a node remembers a bounded number of others', () => {
  const election = new Election({ shard: '0', node: 'a' }, 0);
  for (let node = 0; node < 1_000; node++) election.hear(beat(`n${node}`, { head: node === 0 ? 99 : 5 }), 0);
  // The node that was ahead is forgotten, so it does not hold up the others.
  expect(election.shouldClaim(5, 1_200 + 64 * 300)).toBe(true);
});

test('[D12] a node that has read more but cannot read on does not hold up the others', () => {
  const election = new Election({ shard: '0', node: 'a' }, 0);
  election.hear(beat('b', { head: 9, hasStopped: true }), 1_100);
  expect(election.shouldClaim(5, 1_200)).toBe(true);
});

/** Returns the nodes that store snapshots, according to themselves. `a` leads. */
function keepers(fields: Readonly<Record<string, Partial<Heartbeat>>> = {}, shard = '0'): readonly string[] {
  return NODES.filter((node) => {
    const election = new Election({ shard, node }, 0);
    const beats = NODES.map((each) => beat(each, { epoch: each === 'a' ? 3 : 0, ...fields[each] }));
    for (const each of beats) election.hear(each, 0);
    const own = beats.find((each) => each.node === node);
    const isStopped = own?.hasStopped ?? false;
    return (
      !isStopped &&
      election.isKeeper(
        { isLeading: (own?.epoch ?? 0) > 0, failsSnapshots: own?.failsSnapshots ?? false },
        100,
      )
    );
  });
}

test('[D25] one node stores snapshots: a follower that can, else the leader, else the first follower', () => {
  const [first] = keepers();
  expect(keepers()).toEqual([first]);
  expect(first).not.toBe('a');
  const second = first === 'b' ? 'c' : 'b';
  const fails = { failsSnapshots: true };
  expect(keepers({ [first ?? '']: fails })).toEqual([second]);
  expect(keepers({ [first ?? '']: { hasStopped: true } })).toEqual([second]);
  expect(keepers({ b: fails, c: fails })).toEqual(['a']);
  expect(keepers({ a: fails, b: fails, c: fails })).toEqual([first]);
});

test('[D25] the log waits for a node that cannot read on', () => {
  const election = new Election({ shard: '0', node: 'a' }, 0);
  election.hear(beat('b', { head: 3, hasStopped: true }), 0);
  expect(election.lowestHead(1_000, 500)).toBe(3);
});

test('[D32] the named successor claims immediately, and the others wait as after any silence', () => {
  const times = NODES.map((node) => {
    const election = new Election({ shard: '0', node }, 0);
    for (const other of NODES) election.hear(beat(other), 0);
    election.hear(beat('a', { epoch: 2 }), 0);
    // The successor may not have read the last message yet.
    election.hear(beat('a', { epoch: 2, head: 6, hasReleased: true, successor: 'c' }), 0);
    let atMs = 0;
    while (!election.shouldClaim(5, atMs) && atMs < 10_000) atMs += 100;
    return [node, atMs] as const;
  });
  expect(times.filter(([, atMs]) => atMs === 0)).toEqual([['c', 0]]);
  expect(times.every(([node, atMs]) => node === 'c' || atMs >= 1_200)).toBe(true);
});

test('[D32] a successor is a node that was heard, can read on and lacks little', () => {
  const election = new Election({ shard: '0', node: 'a' }, 0);
  election.hear(beat('b', { head: 10 }), 0);
  election.hear(beat('c', { head: 5_000 }), 0);
  election.hear(beat('d', { head: 5_000, hasStopped: true }), 0);
  expect(election.findSuccessor('', 5_001, 100)).toBe('c');
  expect(election.findSuccessor('c', 5_001, 100)).toBe('c');
  for (const name of ['b', 'd', 'e', 'a']) expect(election.findSuccessor(name, 5_001, 100)).toBeUndefined();
  expect(election.findSuccessor('', 5_001, 3_000)).toBeUndefined();
});
