import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { decodeBody } from '../body.ts';
import type { ChainPosition } from '../chain.ts';
import { FIRST_HASH } from '../message.ts';
import type { Proposal } from '../sequencer.ts';
import { contentHash } from './content-hash.ts';
import { belongsToCluster } from './position.ts';
import {
  holdsOtherData,
  leaveCluster,
  MAX_UNSTORED_BYTES,
  MAX_WAITING_BYTES,
  ReplicatedStore,
} from './replicated-store.ts';

interface Events {
  readonly lost: string[];
}

function open(
  store: MemoryStore,
  name: string,
  events: Events = { lost: [] },
  maxWritesBytes?: number,
): ReplicatedStore {
  return new ReplicatedStore({
    store,
    incarnation: Buffer.from(name.padEnd(8)).toString('hex'),
    isCurrent: () => true,
    ...(maxWritesBytes === undefined ? {} : { maxWritesBytes }),
    onBatch: () => undefined,
    onLead: () => undefined,
    onLost: () => events.lost.push(name),
  });
}

const positionAt = (slot: number): ChainPosition => ({ slot, validSlot: slot, hash: FIRST_HASH, epoch: 1 });

/** Commits a proposal at a slot of the log, for the node that made it and for others. */
function commit(proposal: Proposal, slot: number, [leader, ...followers]: readonly ReplicatedStore[]): void {
  const body = decodeBody(proposal.body ?? Buffer.alloc(0));
  if (typeof body === 'string') throw new Error(body);
  for (const node of [leader, ...followers]) node?.apply(body, positionAt(slot));
  proposal.settle(true);
}

function put(store: ReplicatedStore, key: string, value: string): void {
  store.transact((tx) => tx.put('meta', Buffer.from(key), Buffer.from(value)));
}

const KEYS = ['a', 'b', 'c'];

test('[D17] a node that starts again has exactly what it knows to be committed, and reads the rest', () => {
  const batches = fc.array(fc.record({ key: fc.constantFrom(...KEYS), value: fc.string() }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(batches, fc.nat(), fc.boolean(), (writes, many, isPersisted) => {
      const disk = new MemoryStore();
      const leader = open(disk, 'leader');
      const copy = new MemoryStore();
      const follower = open(copy, 'follower');
      leader.beginTerm();
      const count = writes.length === 0 ? 0 : many % (writes.length + 1);
      writes.forEach(({ key, value }, index) => {
        put(leader, key, value);
        // Later batches are proposed and never committed.
        const proposal = leader.next();
        if (proposal !== undefined && index < count) commit(proposal, index + 1, [leader, follower]);
      });
      if (isPersisted) leader.persist();
      follower.persist();
      const restarted = open(disk, 'again');
      expect(restarted.position.slot).toBeLessThanOrEqual(count);
      if (isPersisted) expect(restarted.position.slot).toBe(count);
      if (restarted.position.slot === count) expect(contentHash(disk)).toBe(contentHash(copy));
    }),
  );
});

test('[D17] a node reads again what it had executed and did not know to be committed', () => {
  const disk = new MemoryStore();
  const leader = open(disk, 'leader');
  leader.beginTerm();
  put(leader, 'key', 'first');
  const proposal = leader.next();
  put(leader, 'key', 'second');
  const restarted = open(disk, 'again');
  expect(restarted.read((tx) => tx.find('meta', Buffer.from('key')))).toBeUndefined();
  commit(proposal as Proposal, 1, [restarted]);
  restarted.persist();
  expect(restarted.read((tx) => tx.find('meta', Buffer.from('key')))?.toString()).toBe('first');
});

test('[D16] batches that wait are proposed as one record', () => {
  const [disk, copy] = [new MemoryStore(), new MemoryStore()];
  const leader = open(disk, 'leader');
  const follower = open(copy, 'follower');
  leader.beginTerm();
  for (const value of ['1', '2', '3']) put(leader, 'key', value);
  const proposal = leader.next();
  expect(leader.next()).toBeUndefined();
  commit(proposal as Proposal, 1, [leader, follower]);
  follower.persist();
  leader.persist();
  expect(contentHash(copy)).toBe(contentHash(disk));
  expect(leader.gate.executed).toBe(3);
});

test('[D17] a transaction is durable when its record is committed', async () => {
  const leader = open(new MemoryStore(), 'leader');
  leader.beginTerm();
  put(leader, 'key', 'value');
  let isDurable = false;
  const durable = leader.whenCommitted().then(() => {
    isDurable = true;
  });
  await Promise.resolve();
  expect(isDurable).toBe(false);
  commit(leader.next() as Proposal, 1, [leader]);
  await durable;
  expect(isDurable).toBe(true);
});

test('[D17] a transaction that fails, or writes nothing, proposes nothing', () => {
  const leader = open(new MemoryStore(), 'leader');
  leader.beginTerm();
  leader.transact((tx) => tx.find('meta', Buffer.from('key')));
  expect(() =>
    leader.transact((tx) => {
      tx.put('meta', Buffer.from('key'), Buffer.from('value'));
      throw new Error('fails');
    }),
  ).toThrow('fails');
  expect(leader.next()).toBeUndefined();
});

test('[D17] a transaction that is too long for the log changes nothing', () => {
  const disk = new MemoryStore();
  const leader = open(disk, 'leader', { lost: [] }, 100);
  leader.beginTerm();
  const before = contentHash(disk);
  expect(() => put(leader, 'key', 'x'.repeat(100))).toThrow('too long for the log');
  expect(contentHash(disk)).toBe(before);
  expect(leader.next()).toBeUndefined();
  put(leader, 'key', 'value');
  expect(leader.gate.executed).toBe(1);
});

test('[D17] a node that follows executes no transaction', () => {
  expect(() => put(open(new MemoryStore(), 'follower'), 'key', 'value')).toThrow('does not lead');
});

test('[D17] a record of another node, or the end of the term, ends the node', () => {
  for (const end of ['record', 'settled', 'term']) {
    const events: Events = { lost: [] };
    const disk = new MemoryStore();
    const leader = open(disk, 'leader', events);
    const rival = open(new MemoryStore(), 'rival');
    leader.beginTerm();
    rival.beginTerm();
    put(rival, 'key', 'of the rival');
    put(leader, 'key', 'of the leader');
    const proposal = leader.next();
    if (end === 'record') commit(rival.next() as Proposal, 1, [rival, leader]);
    else if (end === 'settled') proposal?.settle(false);
    else leader.endTerm();
    leader.persist();
    expect(events.lost).toEqual(['leader']);
    expect(open(disk, 'again').read((tx) => tx.find('meta', Buffer.from('key')))).toBeUndefined();
  }
});

test('[D17] no transaction begins while too many writes wait for the log', async () => {
  const leader = open(new MemoryStore(), 'leader');
  leader.beginTerm();
  expect(leader.whenReady()).toBeUndefined();
  put(leader, 'key', 'x'.repeat(MAX_WAITING_BYTES + 1));
  const ready = leader.whenReady();
  expect(ready).toBeDefined();
  leader.next();
  await ready;
  expect(leader.whenReady()).toBeUndefined();
});

test('[D17] a follower stores long records before they fill its memory', () => {
  const leader = open(new MemoryStore(), 'leader');
  const copy = new MemoryStore();
  const follower = open(copy, 'follower');
  leader.beginTerm();
  put(leader, 'key', 'x'.repeat(MAX_UNSTORED_BYTES + 1));
  commit(leader.next() as Proposal, 1, [leader, follower]);
  expect(copy.read((tx) => tx.find('meta', Buffer.from('key')))).toBeDefined();
});

test('[D19] a directory of a server without a cluster is recognized', () => {
  const store = new MemoryStore();
  expect(holdsOtherData(store)).toBe(false);
  open(store, 'node');
  expect(holdsOtherData(store)).toBe(false);
  const other = new MemoryStore();
  other.transact((tx) => tx.put('meta', Buffer.from('key'), Buffer.from('value')));
  expect(holdsOtherData(other)).toBe(true);
});

test('[D23] a store that leaves its cluster has what it knows to be committed, and no trace of the cluster', () => {
  const disk = new MemoryStore();
  const leader = open(disk, 'leader');
  leader.beginTerm();
  put(leader, 'key', 'committed');
  commit(leader.next() as Proposal, 1, [leader]);
  leader.persist();
  put(leader, 'key', 'executed');
  expect(belongsToCluster(disk)).toBe(true);
  leaveCluster(disk);
  expect(belongsToCluster(disk)).toBe(false);
  const pairs = disk.read((tx) => [...tx.scan('meta', {})].map(({ key, value }) => `${key}=${value}`));
  expect(pairs).toEqual(['key=committed']);
});
