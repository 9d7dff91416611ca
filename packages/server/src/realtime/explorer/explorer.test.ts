import { parseKey } from '@hearth/core/tree/key.ts';
import { leafNode } from '@hearth/core/tree/node.ts';
import { ROOT } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import type { Holder } from '../../platform/lease.ts';
import { openTestAdmission, TEST_HOLDER } from '../../platform/pools.fixture.ts';
import { nodeKey } from '../../storage/kv/keys.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { longList } from '../../storage/tree/stored-node.fixture.ts';
import { allocateNodeId, type StoredTree } from '../../storage/tree/stored-tree.ts';
import type { SearchRequest } from '../../storage/tree/subtree-search.ts';
import { writeNode } from '../../storage/tree/write.ts';
import { Explorer } from './explorer.ts';

const REQUEST: SearchRequest = {
  text: 'x',
  match: 'substring',
  scope: 'both',
  isCaseSensitive: true,
  limit: 10,
};

/** Opens an explorer of a store with one small database, and a clock that the test sets. */
function openExplorer() {
  const store = new MemoryStore();
  const holder = store.transact((tx) => {
    const id = allocateNodeId(tx);
    tx.put('meta', Buffer.from('database/demo'), nodeKey(id));
    return id;
  });
  const tree: StoredTree = { holder, indexesAt: () => [] };
  store.transact((tx) => writeNode(tx, tree, [], leafNode('x')));
  const time = { ms: 0 };
  const clock = { nowMs: () => 0, elapsedMs: () => time.ms };
  const { searches, counts } = openTestAdmission(clock.elapsedMs);
  const explorer = new Explorer({ store, clock, searches, counts });
  return { explorer, store, tree, time };
}

test('[H212] long reads beyond the limit are rejected until one ends', async () => {
  const { explorer } = openExplorer();
  const opens = [
    { limit: 4, things: 'searches', open: () => explorer.search(TEST_HOLDER, 'demo', ROOT, REQUEST) },
    { limit: 32, things: 'counts', open: () => explorer.count(TEST_HOLDER, 'demo', ROOT, undefined) },
    { limit: 32, things: 'counts', open: () => explorer.measure(TEST_HOLDER, 'demo', ROOT) },
  ];
  for (const { limit, things, open } of opens) {
    const reads = Array.from({ length: limit }, open);
    const message = `There are already ${limit} ${things}: wait until one of them ends, or end one.`;
    expect(open).toThrow(message);
    await reads[0]?.return();
    reads[0] = open();
    expect(open).toThrow(message);
    for (const read of reads) await read.return();
  }
});

test('[H554] one member runs at most half of the searches and counts, from any number of networks', async () => {
  const { explorer } = openExplorer();
  const holderOf = (network: string, identity: string): Holder => ({ ...TEST_HOLDER, network, identity });
  const search = (network: string, identity: string) =>
    explorer.search(holderOf(network, identity), 'demo', ROOT, REQUEST);
  const [first] = [search('192.0.2.1', 'ann'), search('192.0.2.2', 'ann')];
  expect(() => search('192.0.2.3', 'ann')).toThrow('You already have 2 searches: wait');
  expect(() => search('192.0.2.3', 'ben')).not.toThrow();
  await first?.return();
  expect(() => search('192.0.2.3', 'ann')).not.toThrow();
  const count = (network: string) => explorer.count(holderOf(network, 'ann'), 'demo', ROOT, undefined);
  for (let index = 0; index < 16; index++) count(`192.0.2.${index}`);
  expect(() => count('192.0.2.99')).toThrow('You already have 16 counts');
});

test('[H212] a network that runs all searches loses one to another network', () => {
  const { explorer } = openExplorer();
  const searches = Array.from({ length: 4 }, () => explorer.search(TEST_HOLDER, 'demo', ROOT, REQUEST));
  expect(() =>
    explorer.search({ ...TEST_HOLDER, network: '198.51.100.1' }, 'demo', ROOT, REQUEST),
  ).not.toThrow();
  expect(searches.map(({ broken }) => broken.aborted)).toEqual([true, false, false, false]);
});

test('[H212] a read whose client has read nothing for 30 seconds is replaced by another', async () => {
  const { explorer, time } = openExplorer();
  const open = () => explorer.search(TEST_HOLDER, 'demo', ROOT, REQUEST);
  const [idle, ...others] = Array.from({ length: 4 }, open);
  time.ms = 20_000;
  for (const other of others) void other.next();
  time.ms = 29_999;
  expect(open).toThrow('There are already 4 searches');
  time.ms = 30_000;
  open();
  expect(idle?.broken.aborted).toBe(true);
  for (const other of others) expect(other.broken.aborted).toBe(false);
});

test('[H213] all running reads end with the explorer', async () => {
  const { explorer } = openExplorer();
  const reads = [
    explorer.search(TEST_HOLDER, 'demo', ROOT, REQUEST),
    explorer.count(TEST_HOLDER, 'demo', ROOT, undefined),
  ];
  explorer[Symbol.dispose]();
  for (const read of reads) {
    expect(read.broken.aborted).toBe(true);
    expect(await read.next()).toEqual({ done: true, value: undefined });
  }
});

test('[H822] an outline is sent again for ten seconds, unless the node was replaced', async () => {
  const { explorer, store, tree, time } = openExplorer();
  const write = (count: number): void =>
    store.transact((tx) => void writeNode(tx, tree, [], longList(count)));
  const countOutlined = async (): Promise<unknown> => {
    let text = '';
    for await (const part of explorer.outline(TEST_HOLDER, 'demo', ROOT)) text += part;
    return JSON.parse(text).count;
  };
  write(20);
  expect(await countOutlined()).toBe(20);
  store.transact((tx) => writeNode(tx, tree, [parseKey('z')], leafNode(1)));
  time.ms = 10_000;
  expect(await countOutlined()).toBe(20);
  time.ms = 10_001;
  expect(await countOutlined()).toBe(21);
  write(30);
  expect(await countOutlined()).toBe(30);
});
