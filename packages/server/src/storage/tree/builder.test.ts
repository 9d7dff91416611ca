import { parseDraft } from '@hearth/core/tree/draft.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { type Key, parseKey } from '@hearth/core/tree/key.ts';
import { nodeArbitrary } from '@hearth/core/tree/node.arbitrary.ts';
import { isEqualNode, replaceAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { type ExistingData, resolveDraft } from '@hearth/core/tree/server-value.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemoryStore } from '../kv/memory.ts';
import type { KvRead, KvStore, KvWrite, Table } from '../kv/store.ts';
import { StagedJson, type StagedJsonState } from './builder.ts';
import { checkStore } from './check.ts';
import { addUnreferenced, reclaimStep } from './garbage.ts';
import { declarations, historyKeys, historyNodes } from './history.arbitrary.ts';
import { indexStep } from './index-build.ts';
import {
  changeIndexCatalog,
  type Declaration,
  indexesByPath,
  readIndexCatalog,
  repeatCatalogChange,
} from './index-catalog.ts';
import { jsonBytes } from './json-bytes.ts';
import { sourceJson } from './json-source.fixture.ts';
import { JsonRejection } from './json-token.ts';
import { findNode } from './read.ts';
import { allocateNodeId, type StoredTree } from './stored-tree.ts';
import { linkStaged, writeNode } from './write.ts';

const TIME_MS = 1_700_000_000_000;

function openTree(store: KvStore, declared: readonly Declaration[] = []): StoredTree {
  return store.transact((tx) => {
    const holder = allocateNodeId(tx);
    return { holder, indexesAt: indexesByPath(changeIndexCatalog(tx, holder, declared)) };
  });
}

/**
 * Builds an unlinked tree from a text in pieces. Each piece has its own transaction and builder, and its memory is
 * overwritten afterwards. Returns the last builder, whose tree can be linked.
 */
function stage(
  store: KvStore,
  tree: StoredTree,
  path: readonly Key[],
  bytes: Buffer,
  cuts: readonly number[],
): StagedJson {
  let state: StagedJsonState | undefined;
  let taken = 0;
  for (const end of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    const staged: StagedJson = new StagedJson({ path, timeMs: TIME_MS }, state);
    const isLast = end === bytes.length;
    const piece = Buffer.from(bytes.subarray(taken, end));
    store.transact((tx) => {
      taken += staged.scan({ tx, indexesAt: tree.indexesAt }, piece, isLast);
    });
    piece.fill('?');
    if (isLast) return staged;
    state = JSON.parse(JSON.stringify(staged.save()));
  }
  throw new Error('no pieces');
}

function apply(tx: KvWrite, tree: StoredTree, path: readonly Key[], { built }: StagedJson): void {
  if (built === undefined || built.kind === 'nothing') writeNode(tx, tree, path, null);
  else linkStaged(tx, tree, path, built);
}

function exportAt(store: KvStore, tree: StoredTree): string {
  return store.read((tx) => Buffer.concat([...jsonBytes(tx, tree, [], 'export')]).toString());
}

function finishWork(store: KvStore): void {
  while (store.transact((tx) => indexStep(tx, 50)) >= 50);
  while (store.transact((tx) => reclaimStep(tx, 50)) >= 50);
}

function counts(tx: KvRead): Readonly<Record<string, number>> {
  const count = (table: Table): number => [...tx.scan(table, {})].length;
  return { tree: count('tree'), index: count('index'), build: count('build'), garbage: count('garbage') };
}

const choices = fc
  .array(fc.nat({ max: 997 }), { minLength: 20, maxLength: 60, size: 'max' })
  .map((numbers) => {
    let next = 0;
    return (count: number): number => (numbers[next++ % numbers.length] ?? 0) % count;
  });
const paths = fc.array(historyKeys, { maxLength: 3, size: 'max' });
const cutLists = fc.array(fc.nat(), { maxLength: 6 });

test('[K122][K123] a tree built from any JSON text in any pieces is stored like a write of the same tree', () => {
  fc.assert(
    fc.property(
      fc.oneof(historyNodes, nodeArbitrary),
      fc.option(historyNodes, { freq: 3 }),
      paths,
      declarations,
      choices,
      cutLists,
      (node, before, path, declared, choose, cuts) => {
        using staging = new MemoryStore();
        using writing = new MemoryStore();
        const staged = openTree(staging, declared);
        const written = openTree(writing, declared);
        for (const [store, tree] of [
          [staging, staged],
          [writing, written],
        ] as const)
          store.transact((tx) => writeNode(tx, tree, [], before));
        const text = sourceJson(node, choose);
        const result = stage(staging, staged, path, Buffer.from(text), cuts);
        staging.transact((tx) => apply(tx, staged, path, result));
        writing.transact((tx) => writeNode(tx, written, path, node));
        staging.read((tx) => {
          expect(checkStore(tx, staged)).toEqual([]);
          const model = replaceAt(before, path, node);
          expect(isEqualNode(findNode(tx, staged, []), model)).toBe(true);
        });
        expect(exportAt(staging, staged)).toBe(exportAt(writing, written));
        finishWork(staging);
        finishWork(writing);
        staging.read((tx) => expect(checkStore(tx, staged)).toEqual([]));
        // Below the root, a write may store a node as text where a built tree has separate entries.
        if (path.length === 0) expect(staging.read(counts)).toEqual(writing.read(counts));
      },
    ),
    { numRuns: 400 },
  );
});

test('[K124] an abandoned tree is garbage-collected completely', () => {
  fc.assert(
    fc.property(historyNodes, declarations, choices, fc.nat(), (node, declared, choose, cut) => {
      using store = new MemoryStore();
      const tree = openTree(store, declared);
      store.transact((tx) => writeNode(tx, tree, [], node));
      const before = store.read(counts);
      const bytes = Buffer.from(sourceJson(node, choose));
      const staged = new StagedJson({ path: [], timeMs: TIME_MS });
      store.transact((tx) => {
        staged.scan({ tx, indexesAt: tree.indexesAt }, bytes.subarray(0, cut % bytes.length), false);
        for (const unreferenced of staged.unreferenced) addUnreferenced(tx, unreferenced);
      });
      finishWork(store);
      expect(store.read(counts)).toEqual(before);
    }),
    { numRuns: 200 },
  );
});

test('[K125] after a tree is linked, indexes declared while it was built are built, and others are removed', () => {
  using store = new MemoryStore();
  const byName = { kind: 'child', path: [parseKey('name')] } as const;
  const byValue = { kind: 'value' } as const;
  let tree = openTree(store, [{ pattern: [null], indexes: [byName] }]);
  const catalog = store.read((tx) => readIndexCatalog(tx, tree.holder));
  const rooms = Object.fromEntries(
    Array.from({ length: 90 }, (_, at) => [`r${at}`, { name: `n${at}`, x: 'x'.repeat(40) }]),
  );
  const bytes = Buffer.from(JSON.stringify({ a: rooms, b: rooms }));
  const first = new StagedJson({ path: [], timeMs: TIME_MS });
  let taken = 0;
  store.transact((tx) => {
    taken = first.scan({ tx, indexesAt: tree.indexesAt }, bytes.subarray(0, bytes.length / 2), false);
  });
  store.transact((tx) => {
    const after = changeIndexCatalog(tx, tree.holder, [{ pattern: [null], indexes: [byValue] }]);
    tree = { holder: tree.holder, indexesAt: indexesByPath(after) };
  });
  finishWork(store);
  const second = new StagedJson({ path: [], timeMs: TIME_MS }, JSON.parse(JSON.stringify(first.save())));
  store.transact((tx) => {
    second.scan({ tx, indexesAt: tree.indexesAt }, bytes.subarray(taken), true);
    apply(tx, tree, [], second);
    repeatCatalogChange(tx, tree.holder, catalog);
  });
  finishWork(store);
  store.read((tx) => expect(checkStore(tx, tree)).toEqual([]));
  // Each of the two nodes with rooms has 90 entries and a state, and nothing of the other index.
  expect(store.read(counts)['index']).toBe(2 * (90 + 1));
});

const draftErrors: readonly (readonly [string, number])[] = [
  ['{"a.b":1}', 1],
  ['{"":1}', 1],
  [`{"${'k'.repeat(769)}":1}`, 1],
  ['{".x":1}', 1],
  ['{".value":[1]}', 10],
  ['{".value":{}}', 11],
  ['{".value":1,"a":2}', 12],
  ['{"a":2,".value":1}', 7],
  ['{".priority":true,"a":1}', 13],
  ['{".priority":{"a":1},"b":1}', 14],
  ['{".priority":[1],"b":1}', 13],
  ['{"a":{".sv":"now"}}', 12],
  ['[1e999]', 1],
  [`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, 32 * 5],
];

test.each(draftErrors)(
  '[K126] %s is rejected with the position of its error, like a write of the same value',
  (text, byte) => {
    using store = new MemoryStore();
    const tree = openTree(store);
    expect(() => parseDraft(parseJsonText(text), 0)).toThrow();
    expect(() => stage(store, tree, [], Buffer.from(text), [])).toThrow(
      expect.objectContaining({
        position: { byte: byte < 160 ? byte : 165, line: 1, column: byte < 160 ? byte + 1 : 166 },
      }),
    );
  },
);

test.each([
  ['{"a":1,"b":2,"a":3}', 13],
  ['{"b":1,"a":2,"b":{}}', 13],
  ['{"a":1,"\\u0061":2}', 7],
  [`{"b":"${'x'.repeat(3000)}","a":1,"b":2}`, 3014],
  [`{"a":"${'x'.repeat(3000)}","b":{"c":"${'x'.repeat(3000)}"},"a":null}`, 6021],
  ['{".priority":1,".priority":2,"a":1}', 15],
])('[K127] a key that occurs twice in an object is rejected at its second position: %.40s', (text, byte) => {
  using store = new MemoryStore();
  const tree = openTree(store);
  expect(() => stage(store, tree, [], Buffer.from(text), [])).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('Duplicate key'),
      position: expect.objectContaining({ byte }),
    }),
  );
});

test('[K128] timestamps are resolved, and increments are rejected with a message that names the alternative', () => {
  using store = new MemoryStore();
  const tree = openTree(store);
  const text = '{"a":{".sv":"timestamp"},"b":{".value":{".sv":"timestamp"},".priority":{".sv":"timestamp"}}}';
  const staged = stage(store, tree, [], Buffer.from(text), []);
  store.transact((tx) => apply(tx, tree, [], staged));
  expect(exportAt(store, tree)).toBe(`{"a":${TIME_MS},"b":{".value":${TIME_MS},".priority":${TIME_MS}}}`);
  const increment = Buffer.from('{"a":{".sv":{"increment":1}}}');
  expect(() => stage(store, tree, [], increment, [])).toThrow(JsonRejection);
  expect(() => stage(store, tree, [], increment, [])).toThrow('{".sv":"timestamp"}');
});

test.each([
  '{"a":{".sv":{"increment":1}}}',
  '{"a":{".sv":{"increment":1.5},".priority":3}}',
  '{"b":{"c":{".sv":{"increment":-2}}},"a":[0,{".sv":{"increment":9007199254740993}}]}',
  '{"b":{".value":{".sv":{"increment":4}},".priority":{".sv":{"increment":5}}},"x":1}',
  '{".priority":{".sv":{"increment":5}},"x":{".priority":{".sv":"timestamp"},".sv":{"increment":1}}}',
  '{".sv":{"increment":7}}',
  `{"text":"${'x'.repeat(5000)}","b":{"c":{".sv":{"increment":1}},"text":"${'y'.repeat(5000)}"}}`,
])('[K193] increments are resolved by the existing tree, as in a write of the same value: %.60s', (text) => {
  using store = new MemoryStore();
  const tree = openTree(store);
  const existing: ExistingData = {
    findValue: (path) => ({ a: 4, 'b/c': 0.25, 'a/1': 9007199254740993n, b: 'text' })[path.join('/')] ?? null,
    findPriority: (path) => ({ '': 2, b: 3 })[path.join('/')] ?? null,
  };
  const json = Buffer.from(text);
  const staged = new StagedJson({ path: [], timeMs: TIME_MS });
  store.transact((tx) => {
    let from = 0;
    for (let to = 1; to <= json.length; to++)
      from += staged.scan(
        { tx, indexesAt: tree.indexesAt, existing },
        json.subarray(from, to),
        to === json.length,
      );
    apply(tx, tree, [], staged);
  });
  expect(exportAt(store, tree)).toBe(
    exportJson(resolveDraft(parseDraft(parseJsonText(text), 0), TIME_MS, existing)),
  );
});

test.each([
  ['{"a":{".sv":{}}}', 'server-value/unknown'],
  ['{"a":{".sv":{"increment":"1"}}}', 'server-value/unknown'],
  ['{"a":{".sv":{"increment":null}}}', 'server-value/unknown'],
  ['{"a":{".sv":{"increment":{}}}}', 'server-value/unknown'],
  ['{"a":{".sv":{"increment":[]}}}', 'server-value/unknown'],
  ['{"a":{".sv":{"increment":1,"increment":1}}}', 'server-value/unknown'],
  ['{"a":{".sv":{"increment":1,"b":1}}}', 'server-value/unknown'],
  ['{"a":{".sv":{"decrement":1}}}', 'server-value/unknown'],
  ['{"a":{".sv":{"increment":1},"b":1}}', 'value/invalid'],
  ['{"a":{".value":{".sv":{"increment":1},"b":1}}}', 'server-value/unknown'],
  ['{"big":{".sv":{"increment":1e308}}}', 'server-value/overflow'],
])('[K193] %s is rejected as %s', (text, code) => {
  using store = new MemoryStore();
  const tree = openTree(store);
  const existing: ExistingData = { findValue: () => 1.7e308, findPriority: () => null };
  const staged = new StagedJson({ path: [], timeMs: TIME_MS });
  expect(() =>
    store.transact(
      (tx) => void staged.scan({ tx, indexesAt: tree.indexesAt, existing }, Buffer.from(text), true),
    ),
  ).toThrow(expect.objectContaining({ code }));
});

test('[K129] levels count from the root of the database', () => {
  using store = new MemoryStore();
  const tree = openTree(store);
  const path = parsePath('p/'.repeat(31));
  const deepest = Buffer.from('{"a":{".value":1,".priority":2}}');
  store.transact((tx) => {
    const staged = new StagedJson({ path, timeMs: TIME_MS });
    staged.scan({ tx, indexesAt: tree.indexesAt }, deepest, true);
    apply(tx, tree, path, staged);
  });
  expect(exportAt(store, tree)).toContain('"a":{".value":1,".priority":2}');
  expect(() => stage(store, tree, path, Buffer.from('{"a":{"b":1}}'), [])).toThrow('more than 32 levels');
});

test('[K129] the memory of a builder does not grow with the text', () => {
  using store = new MemoryStore();
  const tree = openTree(store);
  const staged = new StagedJson({ path: [], timeMs: TIME_MS });
  const message = (at: number): string => `"m${String(at).padStart(6, '0')}":{"text":"hello","at":${at}}`;
  let text = '{"rooms":{"one":{"messages":{';
  for (let at = 0; at < 2_000; at += 1) text += `${at === 0 ? '' : ','}${message(at)}`;
  store.transact((tx) => {
    staged.scan({ tx, indexesAt: tree.indexesAt }, Buffer.from(text), false);
  });
  expect(JSON.stringify(staged.save()).length).toBeLessThan(3_000);
});

/** The tree of a text without any values. */
const nothing: TreeNode | null = null;

test.each(['null', '{}', '[]', '[null,{}]', '{"a":{"b":[]}}', '{".value":null}', '{".priority":1}'])(
  '[K122] %s builds nothing',
  (text) => {
    using store = new MemoryStore();
    const tree = openTree(store);
    store.transact((tx) => writeNode(tx, tree, [], { kind: 'leaf', value: true, priority: null }));
    const staged = stage(store, tree, [], Buffer.from(text), []);
    expect(staged.built).toEqual({ kind: 'nothing' });
    store.transact((tx) => apply(tx, tree, [], staged));
    expect(exportAt(store, tree)).toBe(exportJson(nothing));
  },
);
