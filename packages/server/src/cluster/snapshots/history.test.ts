import { expect, test } from 'vitest';
import { encodeBase } from '../body.ts';
import { FIRST_POSITION } from '../chain.ts';
import { encodeRecord, FIRST_HASH } from '../message.ts';
import { Choices } from '../model/choices.ts';
import { type Faults, NO_FAULTS, SimulatedServers } from '../model/simulated-log.ts';
import { VirtualTime } from '../model/virtual-time.ts';
import { contentHash } from '../node/content-hash.ts';
import { putPosition } from '../node/position.ts';
import { SimulatedClusterNode } from '../node/simulated-cluster-node.fixture.ts';
import { MemorySnapshots } from './memory-snapshots.fixture.ts';

const COUNT = Buffer.from('count');
const FAULTY_MS = 90_000;
const CALM_MS = 120_000;

const FAULTS: readonly Faults[] = [0, 1].map((badness) => ({
  delayMs: 30,
  late: 0.02 * badness,
  lostRequest: 0.02 * badness,
  lostResponse: 0.03 * badness,
  doubled: 0.03 * badness,
  lostBulletin: 0.1 * badness,
  staleRead: 0.1 * badness,
}));

/** Adds an item and counts it. Long enough that a snapshot has several pieces. */
function addItem({ node }: SimulatedClusterNode, item: string): void {
  node.store.transact((tx): void => {
    const count = Number(tx.find('meta', COUNT) ?? 0) + 1;
    tx.put('meta', COUNT, Buffer.from(String(count)));
    tx.put('tree', Buffer.from(item), Buffer.alloc(2_000, item));
  });
}

function readItems({ store }: SimulatedClusterNode): ReadonlySet<string> {
  return store.read((tx) => new Set(Array.from(tx.scan('tree', {}), ({ key }) => String(key))));
}

class Cluster {
  readonly time = new VirtualTime();
  readonly choices: Choices;
  readonly servers: SimulatedServers;
  readonly snapshots = new MemorySnapshots();
  readonly nodes: readonly SimulatedClusterNode[];
  readonly acknowledged = new Set<string>();

  constructor(seed: number, faults: Faults) {
    this.choices = new Choices(seed);
    this.servers = new SimulatedServers(this.time, this.choices, faults);
    this.nodes = ['a', 'b', 'c'].map((name) => this.add(name));
  }

  add(name: string): SimulatedClusterNode {
    return new SimulatedClusterNode(name, this.time, this.servers, this.snapshots);
  }

  get leader(): SimulatedClusterNode | undefined {
    return this.nodes.find(({ isLeading }) => isLeading);
  }

  /** Lets the node that leads write for a time, several times per second. */
  writeFor(ms: number, label: string): void {
    for (let atMs = 0; atMs < ms; atMs += 20 + this.choices.below(120)) {
      const item = `${label}-${atMs}`;
      this.time.after(atMs, () => {
        const { leader } = this;
        leader?.run(() => {
          if (!leader.isLeading) return;
          addItem(leader, item);
          leader.node.store.gate.whenCommitted(() => this.acknowledged.add(item));
        });
      });
    }
  }

  run(ms: number): Promise<boolean> {
    return this.time.runAsyncUntil(() => false, this.time.elapsedMs() + ms);
  }

  /** Waits until all nodes have read everything, and compares them with each other and with the acknowledgments. */
  async check(nodes: readonly SimulatedClusterNode[] = this.nodes): Promise<void> {
    this.servers.faults = NO_FAULTS;
    this.snapshots.failing = 0;
    const quietMs = this.time.elapsedMs() + CALM_MS / 4;
    const { messages } = this.servers;
    const isCalm = (): boolean =>
      this.time.elapsedMs() > quietMs &&
      nodes.every(({ node }) => node.head === messages.length) &&
      nodes.some(({ isLeading }) => isLeading);
    expect(await this.time.runAsyncUntil(isCalm, quietMs + CALM_MS)).toBe(true);
    for (const { node } of nodes) node.store.persist();
    expect(new Set(nodes.map(({ store }) => contentHash(store))).size).toBe(1);
    for (const node of nodes.slice(0, 1)) {
      const items = readItems(node);
      for (const item of this.acknowledged) expect(items).toContain(item);
      expect(node.store.read((tx) => Number(tx.find('meta', COUNT) ?? 0))).toBe(items.size);
    }
  }
}

/** Returns the nodes that do not lead. */
function followersOf({ nodes }: Cluster): readonly SimulatedClusterNode[] {
  return nodes.filter(({ isLeading }) => !isLeading);
}

async function runHistory(seed: number): Promise<Cluster> {
  const cluster = new Cluster(seed, new Choices(seed).pick(FAULTS));
  const { choices, time, nodes, servers, snapshots } = cluster;
  snapshots.failing = choices.pick([0, 0.02]);
  cluster.writeFor(FAULTY_MS, 'item');
  for (let atMs = 5_000; atMs < FAULTY_MS; atMs += 500 + choices.below(6_000)) {
    const kind = choices.below(6);
    const node = choices.pick(nodes);
    time.after(atMs, () => {
      const leader = cluster.leader ?? node;
      const follower = choices.pick(nodes.filter((each) => each !== leader));
      if (kind === 0) leader.crash();
      else if (kind === 1) leader.freeze(choices.below(3_000));
      else if (kind === 2) node.crash();
      else if (kind === 3) servers.killLeader(choices.below(1_500));
      else if (kind === 4) follower.empty();
      else follower.freeze(choices.below(15_000));
    });
  }
  await cluster.run(FAULTY_MS);
  await cluster.check();
  return cluster;
}

test('[D24] [D25] [D26] nodes that crash, freeze and lose their data while snapshots are stored and loaded lose nothing', async () => {
  const totals = { acknowledged: 0, trimmed: 0, joins: 0 };
  for (let seed = 1; seed <= 4; seed++)
    try {
      const { acknowledged, servers, nodes, snapshots } = await runHistory(seed);
      totals.acknowledged += acknowledged.size;
      totals.trimmed += servers.first - 1;
      totals.joins += nodes.reduce((sum, { joins }) => sum + joins, 0);
      const { complete } = snapshots.stored;
      expect(complete.length).toBeLessThanOrEqual(4);
      if (servers.first > 1) expect(servers.first).toBeLessThanOrEqual(complete[1]?.position.validSlot ?? 0);
    } catch (cause) {
      throw new Error(`seed ${seed} fails`, { cause });
    }
  expect(totals.acknowledged).toBeGreaterThan(500);
  expect(totals.trimmed).toBeGreaterThan(500);
  expect(totals.joins).toBeGreaterThan(3);
}, 120_000);

test('[D25] the log keeps what the second newest snapshot and nodes that were heard need', async () => {
  const cluster = new Cluster(1, NO_FAULTS);
  const { servers, snapshots, nodes } = cluster;
  cluster.writeFor(150_000, 'first');
  await cluster.run(60_000);
  const away = nodes.find(({ isLeading }) => !isLeading);
  if (away === undefined) throw new Error('no node follows');
  const head = away.node.head;
  away.end();
  await cluster.run(90_000);
  expect(servers.first).toBeGreaterThan(1);
  expect(servers.first).toBeLessThanOrEqual(head);
  away.crash();
  const rest = (): number => servers.messages.length - servers.first + 1;
  cluster.writeFor(60_000, 'second');
  await cluster.run(60_000);
  expect(servers.first).toBeGreaterThan(head);
  expect(rest()).toBeGreaterThanOrEqual(20);
  const { complete } = snapshots.stored;
  expect(complete.length).toBeLessThanOrEqual(3);
  expect(servers.first).toBeLessThanOrEqual(complete[1]?.position.validSlot ?? 0);
  expect(away.joins).toBe(0);
  await cluster.check();
}, 60_000);

test('[D26] a node waits until there is a snapshot that is not damaged', async () => {
  const cluster = new Cluster(2, NO_FAULTS);
  const { servers, snapshots, nodes } = cluster;
  cluster.writeFor(45_000, 'item');
  await cluster.run(45_000);
  expect(servers.first).toBeGreaterThan(1);
  snapshots.damage();
  const follower = nodes.find(({ isLeading }) => !isLeading);
  follower?.empty();
  await cluster.run(5_000);
  expect(follower?.joins).toBe(0);
  // The next snapshot is due when there is as much to read as the last one contains.
  cluster.writeFor(75_000, 'later');
  await cluster.run(75_000);
  await cluster.check();
  expect(follower?.joins).toBe(1);
}, 60_000);

test('[D27] nodes without the data of a log that begins with a base read it from a snapshot', async () => {
  const cluster = new Cluster(3, NO_FAULTS);
  const { servers, snapshots, nodes } = cluster;
  for (const node of nodes) node.end();
  const [base] = encodeRecord(1, FIRST_HASH, encodeBase('data'));
  const [first] = nodes;
  if (base === undefined || first === undefined) throw new Error('there is no node');
  servers.messages.push(base.bytes);
  first.store.transact((tx): void => {
    tx.put('tree', Buffer.from('of the server before'), Buffer.from('1'));
    tx.put('meta', COUNT, Buffer.from('1'));
    putPosition(tx, { slot: 1, validSlot: 1, hash: base.hash, epoch: 1 });
  });
  cluster.acknowledged.add('of the server before');
  // The others begin first, and cannot lead.
  for (const node of nodes.slice(1)) node.empty();
  await cluster.run(20_000);
  expect(nodes.every(({ isLeading }) => !isLeading)).toBe(true);
  expect(servers.messages).toHaveLength(1);
  first.crash();
  cluster.writeFor(20_000, 'item');
  await cluster.run(20_000);
  expect(snapshots.stored.complete.length).toBeGreaterThan(0);
  await cluster.check();
  expect(nodes.map(({ joins }) => joins)).toEqual([0, 1, 1]);
}, 60_000);

test.each([
  ['is still shorter than before', 500],
  ['is longer than before', 8_000],
])(
  '[D28] a node whose messages the log has replaced sets its data aside, and follows again, if the log %s',
  async (_name, ms) => {
    const cluster = new Cluster(4, NO_FAULTS);
    const { servers, nodes } = cluster;
    cluster.writeFor(8_000, 'item');
    await cluster.run(10_000);
    const ahead = cluster.leader;
    if (ahead === undefined) throw new Error('no node leads');
    const others = nodes.filter((node) => node !== ahead);
    // NATS has lost the end of the log, and all nodes but one have lost their data.
    ahead.end();
    servers.rewind(40);
    for (const node of others) node.empty();
    await cluster.run(10_000);
    expect(others.some(({ isLeading }) => isLeading)).toBe(true);
    const lost = readItems(ahead);
    cluster.acknowledged.clear();
    const { slot } = ahead.node.store.position;
    cluster.writeFor(ms, 'later');
    await cluster.run(ms);
    expect(servers.messages.length < slot).toBe(ms < 1_000);
    ahead.crash();
    await cluster.run(30_000);
    expect(ahead.setAside.map((store) => store.read((tx) => tx.count('tree', {}, 10_000)))).toEqual([
      lost.size,
    ]);
    await cluster.check();
  },
  60_000,
);

/** Lets the log of a cluster lose messages that only one node has read, which ends. Returns that node. */
async function fork(cluster: Cluster): Promise<SimulatedClusterNode> {
  cluster.writeFor(8_000, 'item');
  await cluster.run(10_000);
  const { leader: ahead, nodes, servers } = cluster;
  if (ahead === undefined) throw new Error('no node leads');
  ahead.end();
  servers.rewind(servers.messages.length - 10);
  for (const node of nodes) if (node !== ahead) node.empty();
  await cluster.run(10_000);
  cluster.acknowledged.clear();
  return ahead;
}

test('[D28] a node whose messages the log has replaced and then removed sets its data aside', async () => {
  const cluster = new Cluster(5, NO_FAULTS);
  const { servers } = cluster;
  const ahead = await fork(cluster);
  const lost = readItems(ahead);
  const { slot } = ahead.node.store.position;
  cluster.writeFor(60_000, 'later');
  await cluster.run(60_000);
  // Nodes that were heard in the last hour would keep the messages.
  expect(servers.first).toBeGreaterThan(slot);
  ahead.crash();
  await cluster.run(30_000);
  expect(ahead.stopped[0]?.kind).toBe('trimmed');
  expect(ahead.setAside).toHaveLength(1);
  for (const item of lost) {
    const [before] = ahead.setAside;
    expect(before?.read((tx) => tx.find('tree', Buffer.from(item)))).toBeDefined();
  }
  await cluster.check();
}, 60_000);

test('[D26] a node that was away until the log was trimmed sets nothing aside', async () => {
  const cluster = new Cluster(6, NO_FAULTS);
  const { servers, nodes } = cluster;
  cluster.writeFor(5_000, 'first');
  await cluster.run(8_000);
  const [away] = followersOf(cluster);
  if (away === undefined) throw new Error('no node follows');
  const { head } = away.node;
  away.end();
  // The others have not heard of it since they started.
  for (const node of nodes) if (node !== away) node.crash();
  cluster.writeFor(60_000, 'later');
  await cluster.run(60_000);
  expect(servers.first).toBeGreaterThan(head);
  away.crash();
  await cluster.run(30_000);
  expect(away.stopped[0]?.kind).toBe('trimmed');
  expect([away.joins, away.setAside.length]).toEqual([1, 0]);
  await cluster.check();
}, 60_000);

test('[D25] when one node cannot store snapshots, another does, and the log is trimmed', async () => {
  const cluster = new Cluster(7, NO_FAULTS);
  const { servers, nodes } = cluster;
  await cluster.run(5_000);
  const [first, second] = followersOf(cluster);
  for (const node of [first, second]) if (node !== undefined) node.isDiskFull = true;
  cluster.writeFor(80_000, 'item');
  await cluster.run(80_000);
  expect(servers.first).toBeGreaterThan(1);
  expect(nodes.every(({ joins }) => joins === 0)).toBe(true);
  await cluster.check();
}, 60_000);

test('[D31] snapshots of another log are not loaded, and never removed', async () => {
  const cluster = new Cluster(8, NO_FAULTS);
  const { servers, snapshots, time, choices, nodes } = cluster;
  const storage = snapshots.connect(time, choices);
  const foreign = {
    pieces: 1,
    keys: 1,
    bytes: 1,
    sha256: '',
    position: { ...FIRST_POSITION, slot: 5, validSlot: 5 },
  };
  const stored = Promise.all([
    storage.putPiece('other-1', 0, Buffer.of(1)),
    storage.complete({ id: 'other-1', ...foreign }),
    storage.putPiece('other-2', 0, Buffer.of(1)),
  ]);
  await cluster.run(1_000);
  await stored;
  cluster.writeFor(150_000, 'item');
  await cluster.run(150_000);
  expect(servers.first).toBeGreaterThan(1);
  const [follower] = followersOf(cluster);
  follower?.empty();
  await cluster.check();
  expect(nodes.reduce((sum, { joins }) => sum + joins, 0)).toBe(1);
  const { complete, unfinished } = snapshots.stored;
  expect(complete.map(({ id }) => id)).toContain('other-1');
  expect([...unfinished.keys()]).toEqual(['other-2']);
}, 60_000);
