import { leafNode } from '@hearth/core/tree/node.ts';
import { ROOT } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { nodeKey } from '../../storage/kv/keys.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { allocateNodeId } from '../../storage/tree/stored-tree.ts';
import type { SearchRequest } from '../../storage/tree/subtree-search.ts';
import { writeNode } from '../../storage/tree/write.ts';
import { Explorer, MAX_COUNTS, MAX_SEARCHES } from './explorer.ts';

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
  store.transact((tx) => writeNode(tx, { holder, indexesAt: () => [] }, [], leafNode('x')));
  const time = { ms: 0 };
  const explorer = new Explorer({ store, clock: { nowMs: () => 0, elapsedMs: () => time.ms } });
  return { explorer, time };
}

test('[H212] long reads beyond the limit are rejected until one ends', async () => {
  const { explorer } = openExplorer();
  const opens = [
    { limit: MAX_SEARCHES, open: () => explorer.search('demo', ROOT, REQUEST) },
    { limit: MAX_COUNTS, open: () => explorer.count('demo', ROOT, undefined) },
    { limit: MAX_COUNTS, open: () => explorer.measure('demo', ROOT) },
  ];
  for (const { limit, open } of opens) {
    const reads = Array.from({ length: limit }, open);
    expect(open).toThrow(`${limit} of these requests are already running`);
    await reads[0]?.return();
    reads[0] = open();
    expect(open).toThrow('already running');
    for (const read of reads) await read.return();
  }
});

test('[H212] a read whose client has read nothing for 30 seconds is replaced by another', async () => {
  const { explorer, time } = openExplorer();
  const open = () => explorer.search('demo', ROOT, REQUEST);
  const [idle, ...others] = Array.from({ length: MAX_SEARCHES }, open);
  time.ms = 20_000;
  for (const other of others) void other.next();
  time.ms = 29_999;
  expect(open).toThrow('already running');
  time.ms = 30_000;
  open();
  expect(idle?.broken.aborted).toBe(true);
  for (const other of others) expect(other.broken.aborted).toBe(false);
});

test('[H213] all running reads end with the explorer', async () => {
  const { explorer } = openExplorer();
  const reads = [explorer.search('demo', ROOT, REQUEST), explorer.count('demo', ROOT, undefined)];
  explorer[Symbol.dispose]();
  for (const read of reads) {
    expect(read.broken.aborted).toBe(true);
    expect(await read.next()).toEqual({ done: true, value: undefined });
  }
});
