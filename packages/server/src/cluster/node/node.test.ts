import { expect, test } from 'vitest';
import { Choices } from '../model/choices.ts';
import { type Faults, NO_FAULTS, SimulatedServers } from '../model/simulated-log.ts';
import { VirtualTime } from '../model/virtual-time.ts';
import { contentHash } from './content-hash.ts';
import type { ClusterNode } from './node.ts';
import { SimulatedClusterNode } from './simulated-cluster-node.fixture.ts';

const COUNT = Buffer.from('count');

const FAULTS: readonly Faults[] = [0, 0.5, 1].map((badness) => ({
  delayMs: 40,
  late: 0.03 * badness,
  lostRequest: 0.03 * badness,
  lostResponse: 0.05 * badness,
  doubled: 0.05 * badness,
  lostBulletin: 0.2 * badness,
  staleRead: 0.2 * badness,
}));

const FAULTY_MS = 8_000;
const CALM_MS = 60_000;

/** Adds an item and counts it, in one transaction. */
function addItem(node: ClusterNode, item: string): void {
  node.store.transact((tx): void => {
    const count = Number(tx.find('meta', COUNT) ?? 0) + 1;
    tx.put('meta', COUNT, Buffer.from(String(count)));
    tx.put('tree', Buffer.from(item), Buffer.from(String(count)));
  });
}

function readCount(node: ClusterNode): number {
  return node.store.read((tx) => Number(tx.find('meta', COUNT) ?? 0));
}

interface History {
  readonly acknowledged: number;
  /** Number of reads that were answered. */
  readonly read: number;
}

/** Runs one history. Throws if the nodes disagree or have lost an acknowledged item, or if a read misses one. */
function runHistory(seed: number): History {
  const choices = new Choices(seed);
  const time = new VirtualTime();
  const faults = choices.pick(FAULTS);
  const servers = new SimulatedServers(time, choices, faults);
  let acknowledgedCount = 0;
  let read = 0;
  const nodes = ['a', 'b', 'c'].map((name) => new SimulatedClusterNode(name, time, servers));
  const acknowledged = new Set<string>();
  for (let atMs = 0; atMs < FAULTY_MS; atMs += 5 + choices.below(60)) {
    const node = choices.pick(nodes);
    const item = `item-${atMs}`;
    time.after(atMs, () =>
      node.run(() => {
        if (!node.isLeading) return;
        addItem(node.node, item);
        const count = readCount(node.node);
        node.node.store.gate.whenCommitted(() => {
          acknowledged.add(item);
          acknowledgedCount = Math.max(acknowledgedCount, count);
        });
      }),
    );
    const reader = choices.pick(nodes);
    time.after(atMs, () => {
      const atLeast = acknowledgedCount;
      reader.run(() => {
        if (!reader.isLeading) return;
        const count = readCount(reader.node);
        reader.node.store.gate.whenCurrent(() => {
          read += 1;
          // A lease needs heartbeats that arrive.
          if (faults.lostBulletin === 0) expect(count).toBeGreaterThanOrEqual(atLeast);
        });
      });
    });
  }
  for (let atMs = 2_000; atMs < FAULTY_MS; atMs += 100 + choices.below(1_500)) {
    const kind = choices.below(5);
    const node = choices.pick(nodes);
    time.after(atMs, () => {
      const leader = nodes.find((each) => each.isLeading) ?? node;
      if (kind === 0) leader.crash();
      else if (kind === 1) leader.freeze(choices.below(3_000));
      else if (kind === 2) node.crash();
      else if (kind === 3) leader.handOver();
      else servers.killLeader(choices.below(1_500));
    });
  }
  time.runUntil(() => false, FAULTY_MS);
  servers.faults = NO_FAULTS;
  // Every node has read every message, and stored what it has read.
  const isCalm = (): boolean =>
    time.elapsedMs() > FAULTY_MS + CALM_MS / 2 &&
    nodes.every(({ node }) => node.head === servers.messages.length);
  expect(time.runUntil(isCalm, FAULTY_MS + CALM_MS)).toBe(true);
  for (const { node } of nodes) node.store.persist();
  expect(new Set(nodes.map(({ store }) => contentHash(store))).size).toBe(1);
  const [first] = nodes;
  first?.store.read((tx): void => {
    const items = new Set([...tx.scan('tree', {})].map(({ key }) => String(key)));
    for (const item of acknowledged) expect(items).toContain(item);
    expect(Number(tx.find('meta', COUNT) ?? 0)).toBe(items.size);
  });
  return { acknowledged: acknowledged.size, read };
}

test('[D16] [D17] nodes that crash and freeze over a bad log lose nothing acknowledged, and have the same data', () => {
  const totals = { acknowledged: 0, read: 0 };
  for (let seed = 1; seed <= 60; seed++)
    try {
      const { acknowledged, read } = runHistory(seed);
      totals.acknowledged += acknowledged;
      totals.read += read;
    } catch (cause) {
      throw new Error(`seed ${seed} fails`, { cause });
    }
  expect(totals.acknowledged).toBeGreaterThan(1_000);
  expect(totals.read).toBeGreaterThan(1_000);
});

test('[D20] a leader without an answer of the log starts again', () => {
  const time = new VirtualTime();
  const servers = new SimulatedServers(time, new Choices(1), NO_FAULTS);
  const leader = new SimulatedClusterNode('a', time, servers);
  time.runUntil(() => leader.isLeading, 10_000);
  expect(leader.isLeading).toBe(true);
  servers.killLeader(120_000);
  addItem(leader.node, 'item');
  const isAnswered: string[] = [];
  leader.node.store.gate.whenCommitted(() => isAnswered.push('item'));
  const startedMs = time.elapsedMs();
  time.runUntil(() => leader.lost.length > 0, 100_000);
  expect(leader.lost.join()).toContain('has not answered');
  expect(time.elapsedMs() - startedMs).toBeLessThanOrEqual(31_000);
  expect(isAnswered).toEqual([]);
});

test('[D20] a node that hears no leader for 30 seconds reports that once, and then knows no leader', () => {
  const time = new VirtualTime();
  const servers = new SimulatedServers(time, new Choices(1), NO_FAULTS);
  const nodes = ['a', 'b', 'c'].map((name) => new SimulatedClusterNode(name, time, servers));
  time.runUntil(() => nodes.some(({ isLeading }) => isLeading), 10_000);
  // The others hear of it.
  time.runUntil(() => false, time.elapsedMs() + 1_000);
  const follower = nodes.find(({ isLeading }) => !isLeading);
  const other = nodes.findLast(({ isLeading }) => !isLeading);
  if (follower === undefined) throw new Error('no node follows');
  for (const node of nodes) node.isCutOff = true;
  servers.killLeader(120_000);
  time.runUntil(() => false, time.elapsedMs() + 25_000);
  expect(follower.silences).toBe(0);
  expect(follower.node.leader).toBeDefined();
  time.runUntil(() => false, time.elapsedMs() + 20_000);
  expect([follower.silences, other?.silences]).toEqual([1, 1]);
  expect(follower.node.leader).toBeUndefined();
});

test('[D17] a leader that continues after another one leads answers no read from its old state', () => {
  const time = new VirtualTime();
  const servers = new SimulatedServers(time, new Choices(1), NO_FAULTS);
  const nodes = ['a', 'b', 'c'].map((name) => new SimulatedClusterNode(name, time, servers));
  const findLeader = (except?: SimulatedClusterNode) =>
    nodes.find((each) => each.isLeading && each !== except);
  time.runUntil(() => findLeader() !== undefined, 10_000);
  const old = findLeader();
  expect(old).toBeDefined();
  if (old === undefined) return;
  const read: number[] = [];
  const readOld = (): void => {
    const count = readCount(old.node);
    old.node.store.gate.whenCurrent(() => read.push(count));
  };
  time.runUntil(() => false, time.elapsedMs() + 1_000);
  readOld();
  expect(read).toEqual([0]);
  old.freeze(10_000);
  old.run(readOld);
  time.runUntil(() => findLeader(old) !== undefined, 10_000);
  const leader = findLeader(old);
  if (leader !== undefined) addItem(leader.node, 'item');
  time.runUntil(() => old.lost.length > 0, 60_000);
  expect(old.lost).toHaveLength(1);
  expect(read).toEqual([0]);
});

test('[D11] a leader whose log has lost messages stops, and does not start again before', () => {
  const time = new VirtualTime();
  const servers = new SimulatedServers(time, new Choices(1), NO_FAULTS);
  const leader = new SimulatedClusterNode('a', time, servers);
  time.runUntil(() => leader.isLeading, 10_000);
  for (let item = 0; item < 5; item++) {
    addItem(leader.node, `item-${item}`);
    time.runUntil(() => false, time.elapsedMs() + 100);
  }
  servers.rewind(2);
  const startedMs = time.elapsedMs();
  time.runUntil(() => leader.stopped.length > 0, startedMs + 30_000);
  expect(leader.stopped).toMatchObject([{ kind: 'rewound', last: 2 }]);
  expect(time.elapsedMs() - startedMs).toBeLessThan(20_000);
  expect(leader.lost).toEqual([]);
});

test('[D20] a node that follows and is closed does not begin to lead', () => {
  const time = new VirtualTime();
  const servers = new SimulatedServers(time, new Choices(1), NO_FAULTS);
  const nodes = ['a', 'b', 'c'].map((name) => new SimulatedClusterNode(name, time, servers));
  time.runUntil(() => nodes.some(({ isLeading }) => isLeading), 10_000);
  const [closing, ...others] = nodes.toSorted((a, b) => Number(a.isLeading) - Number(b.isLeading));
  if (closing === undefined) throw new Error('no node follows');
  expect(closing.isLeading).toBe(false);
  for (const node of others) node.end();
  closing.node.retire();
  time.runUntil(() => false, time.elapsedMs() + 10_000);
  expect(closing.isLeading).toBe(false);
});

test('[D32] a leader hands over to the named node, which leads at once, and follows it without a restart', () => {
  const time = new VirtualTime();
  const servers = new SimulatedServers(time, new Choices(1), NO_FAULTS);
  const nodes = ['a', 'b', 'c'].map((name) => new SimulatedClusterNode(name, time, servers));
  time.runUntil(() => nodes.some(({ isLeading }) => isLeading), 10_000);
  time.runUntil(() => false, time.elapsedMs() + 1_000);
  for (let round = 0; round < 4; round++) {
    const leader = nodes.find(({ isLeading }) => isLeading);
    const next = nodes.filter((node) => node !== leader)[round % 2];
    if (leader === undefined || next === undefined) throw new Error('no node leads');
    const name = next === nodes[0] ? 'a' : next === nodes[1] ? 'b' : 'c';
    addItem(leader.node, `item-${round}`);
    const startedMs = time.elapsedMs();
    leader.handOver(name);
    time.runUntil(() => next.isLeading, startedMs + 10_000);
    // Two requests to the log, and bulletins that arrive late.
    expect(time.elapsedMs() - startedMs).toBeLessThan(100);
    expect(leader.isLeading).toBe(false);
    expect(readCount(next.node)).toBe(round + 1);
    time.runUntil(() => false, time.elapsedMs() + 1_000);
  }
  for (const { node } of nodes) node.store.persist();
  expect(new Set(nodes.map(({ store }) => contentHash(store))).size).toBe(1);
  expect(nodes.flatMap(({ lost, stopped }) => [...lost, ...stopped])).toEqual([]);
});

test('[D32] if the successor does not lead, another node does, as after a failure', () => {
  const time = new VirtualTime();
  const servers = new SimulatedServers(time, new Choices(1), NO_FAULTS);
  const nodes = ['a', 'b', 'c'].map((name) => new SimulatedClusterNode(name, time, servers));
  time.runUntil(() => nodes.some(({ isLeading }) => isLeading), 10_000);
  time.runUntil(() => false, time.elapsedMs() + 1_000);
  const leader = nodes.find(({ isLeading }) => isLeading);
  const name = leader === nodes[0] ? 'b' : 'a';
  nodes[name === 'a' ? 0 : 1]?.end();
  leader?.handOver(name);
  time.runUntil(() => false, time.elapsedMs() + 1_000);
  expect(nodes.some(({ isLeading }) => isLeading)).toBe(false);
  time.runUntil(() => nodes.some(({ isLeading }) => isLeading), time.elapsedMs() + 3_000);
  expect(nodes.filter(({ isLeading }) => isLeading)).toHaveLength(1);
});
