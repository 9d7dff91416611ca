import { createHash, hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Bound,
  evaluateQuery,
  MAX_KEY,
  MIN_KEY,
  type Query,
  type QueryIndex,
} from '@hearth/core/query/query.ts';
import { hashNode } from '@hearth/core/tree/digest.ts';
import { compareKeys, type Key, parseKey } from '@hearth/core/tree/key.ts';
import {
  innerNode,
  isEqualNode,
  leafNode,
  nodeAt,
  replaceAt,
  replacePriorityAt,
  type TreeNode,
} from '@hearth/core/tree/node.ts';
import { exportJson, plainJson } from '@hearth/core/tree/node-json.ts';
import { type IndexValue, indexValueOf, OBJECT } from '@hearth/core/tree/order.ts';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { LmdbStore } from '../kv/lmdb.ts';
import { MemoryStore } from '../kv/memory.ts';
import type { KvSnapshot } from '../kv/snapshot.ts';
import { SnapshotStore } from '../kv/snapshot-store.ts';
import type { KvRead, KvStore } from '../kv/store.ts';
import { StagedJson } from './builder.ts';
import { checkStore } from './check.ts';
import { type Hashing, HashMemory, hashStored, type Sha1Source } from './digest.ts';
import { reclaimStep } from './garbage.ts';
import {
  type HistoryWrite,
  histories,
  historyKeys,
  historyPaths,
  historyScalars,
  type Step,
} from './history.arbitrary.ts';
import { indexStep } from './index-build.ts';
import { changeIndexCatalog, indexesByPath } from './index-catalog.ts';
import { jsonBytes } from './json-bytes.ts';
import { type KeyPage, queryJsonBytes, shallowJsonBytes } from './json-query.ts';
import { planQuery, runQuery } from './query.ts';
import { findNode, hasChildren, readChildNode, readChildren, readIndexValue, readPriority } from './read.ts';
import { allocateNodeId, type StoredTree } from './stored-tree.ts';
import { linkStaged, writeNode, writeNodes, writePriority } from './write.ts';

const sha1Source: Sha1Source = {
  sha1: (text) => hash('sha1', text, 'base64'),
  openSha1: () => {
    const stream = createHash('sha1');
    return { update: (text) => void stream.update(text), base64: () => stream.digest('base64') };
  },
};

function unboundedHashing(): Hashing {
  return { source: sha1Source, memory: new HashMemory(), spend: () => undefined };
}

/** A stored tree, and a tree in memory with the same content. */
class Twins {
  readonly store: KvStore;
  tree: StoredTree;
  model: TreeNode | null = null;

  constructor(store: KvStore) {
    this.store = store;
    this.tree = { holder: store.transact(allocateNodeId), indexesAt: () => [] };
  }

  run(step: Step): void {
    switch (step.kind) {
      case 'write':
        this.store.transact((tx) => writeNode(tx, this.tree, step.path, step.node));
        this.model = replaceAt(this.model, step.path, step.node);
        return;
      case 'update':
        this.#update(step.writes);
        return;
      case 'stage':
        this.#stage(step.path, step.node);
        this.model = replaceAt(this.model, step.path, step.node);
        return;
      case 'priority':
        this.store.transact((tx) => writePriority(tx, this.tree, step.path, step.priority));
        this.model = replacePriorityAt(this.model, step.path, step.priority);
        return;
      case 'abort':
        expect(() =>
          this.store.transact((tx): void => {
            writeNode(tx, this.tree, step.path, step.node);
            throw new Error('on purpose');
          }),
        ).toThrow('on purpose');
        return;
      case 'declare': {
        const catalog = this.store.transact((tx) => changeIndexCatalog(tx, this.tree.holder, step.declared));
        this.tree = { holder: this.tree.holder, indexesAt: indexesByPath(catalog) };
        return;
      }
      case 'work':
        this.store.transact((tx) => void indexStep(tx, step.entries));
        this.store.transact((tx) => void reclaimStep(tx, step.entries));
        return;
      default:
        step satisfies never;
    }
  }

  #update(writes: readonly HistoryWrite[]): void {
    const replacements = writes.map((write) => ({ ...write, json: exportJson(write.node) }));
    const changed = replacements.filter(
      ({ path, node }) => node !== null || nodeAt(this.model, path) !== null,
    );
    expect(this.store.transact((tx) => writeNodes(tx, this.tree, replacements))).toEqual(changed);
    for (const { path, node } of writes) this.model = replaceAt(this.model, path, node);
  }

  /** Builds the tree in two transactions, the second of which links it. */
  #stage(path: readonly Key[], node: TreeNode | null): void {
    const bytes = Buffer.from(exportJson(node));
    const staged = new StagedJson({ path, timeMs: 0 });
    let taken = 0;
    this.store.transact((tx) => {
      taken = staged.scan({ tx, indexesAt: this.tree.indexesAt }, bytes.subarray(0, bytes.length / 2), false);
    });
    this.store.transact((tx) => {
      staged.scan({ tx, indexesAt: this.tree.indexesAt }, bytes.subarray(taken), true);
      if (staged.built === undefined || staged.built.kind === 'nothing') writeNode(tx, this.tree, path, null);
      else linkStaged(tx, this.tree, path, staged.built);
    });
  }

  finishWork(): void {
    while (this.store.transact((tx) => indexStep(tx, 50)) >= 50);
    while (this.store.transact((tx) => reclaimStep(tx, 50)) >= 50);
  }

  check(): void {
    this.store.read((tx) => {
      expect(checkStore(tx, this.tree)).toEqual([]);
      expect(textAt(tx, this.tree, [], 'export')).toBe(exportJson(this.model));
      expect(isEqualNode(findNode(tx, this.tree, []), this.model)).toBe(true);
    });
  }
}

function textAt(tx: KvRead, tree: StoredTree, path: readonly Key[], form: 'export' | 'plain'): string {
  return joined(jsonBytes(tx, tree, path, form));
}

function joined(pieces: Iterable<Buffer>): string {
  return Buffer.concat([...pieces]).toString();
}

const parent = mkdtempSync(join(tmpdir(), 'hearth-tree-'));
afterAll(() => rmSync(parent, { recursive: true }));

test('[K20][K21][K22] after any history, the stored tree equals the tree in memory and the check finds no problem', () => {
  fc.assert(
    fc.property(histories, (steps) => {
      using store = new MemoryStore();
      const twins = new Twins(store);
      for (const step of steps) {
        twins.run(step);
        twins.check();
      }
      twins.finishWork();
      twins.check();
    }),
    { numRuns: 300 },
  );
});

test('[K20][K21][K22] after any history, the stored tree in LMDB equals the tree in memory and the check finds no problem', () => {
  fc.assert(
    fc.property(histories, (steps) => {
      using store = new LmdbStore({ directory: mkdtempSync(join(parent, 'store.')) });
      const twins = new Twins(store);
      for (const step of steps) twins.run(step);
      twins.check();
      twins.finishWork();
      twins.check();
    }),
    { numRuns: 40 },
  );
});

test('[K23][K24][K25] every read at every path returns the same as the tree in memory', () => {
  const range = fc.record({
    from: fc.option(historyKeys, { nil: undefined }),
    to: fc.option(historyKeys, { nil: undefined }),
    isReversed: fc.boolean(),
  });
  fc.assert(
    fc.property(histories, fc.array(fc.tuple(historyPaths, range), { minLength: 5 }), (steps, reads) => {
      using store = new MemoryStore();
      const twins = new Twins(store);
      for (const step of steps) twins.run(step);
      store.read((tx) => {
        for (const [path, { from, to, isReversed }] of [[[], { isReversed: false }] as const, ...reads]) {
          const node = nodeAt(twins.model, path);
          expect(textAt(tx, twins.tree, path, 'export')).toBe(exportJson(node));
          expect(textAt(tx, twins.tree, path, 'plain')).toBe(plainJson(node));
          expect(isEqualNode(findNode(tx, twins.tree, path), node)).toBe(true);
          expect(readIndexValue(tx, twins.tree, path)).toBe(indexValueOf(node));
          expect(readPriority(tx, twins.tree, path)).toBe(node?.priority ?? null);
          expect(hasChildren(tx, twins.tree, path)).toBe(node?.kind === 'inner');
          expect(hashStored(tx, twins.tree, path, unboundedHashing())).toBe(hashNode(node, sha1Source.sha1));
          const bounds = {
            isReversed,
            ...(from === undefined ? {} : { from }),
            ...(to === undefined ? {} : { to }),
          };
          const children = [...readChildren(tx, twins.tree, path, bounds)];
          const expected = (node?.kind === 'inner' ? [...node.children] : []).filter(
            ([key]) =>
              (from === undefined || compareKeys(key, from) >= 0) &&
              (to === undefined || compareKeys(key, to) <= 0),
          );
          expect(children.map(({ key }) => key)).toEqual(
            (isReversed ? expected.reverse() : expected).map(([key]) => key),
          );
          for (const child of children)
            expect(exportJson(readChildNode(tx, child))).toBe(exportJson(nodeAt(node, [child.key])));
        }
      });
    }),
    { numRuns: 200 },
  );
});

const indexes: fc.Arbitrary<QueryIndex> = fc.oneof(
  fc.constantFrom<QueryIndex>({ kind: 'key' }, { kind: 'value' }, { kind: 'priority' }),
  fc.array(historyKeys, { minLength: 1, maxLength: 2 }).map((path): QueryIndex => ({ kind: 'child', path })),
);
const boundKeys = fc.oneof(
  historyKeys,
  fc.constantFrom<string>(MIN_KEY, MAX_KEY, '', 'a'.repeat(786), '\uffff'.repeat(786)),
);
const boundValues: fc.Arbitrary<IndexValue> = fc.oneof(
  fc.constantFrom<IndexValue>(null, OBJECT),
  historyScalars,
);
const bounds: fc.Arbitrary<Bound | null> = fc.option(
  fc.record({ value: boundValues, key: boundKeys, isInclusive: fc.boolean() }),
);
const queries: fc.Arbitrary<Query> = fc
  .record({
    index: indexes,
    lower: bounds,
    upper: bounds,
    limit: fc.option(fc.integer({ min: 1, max: 4 })),
    from: fc.constantFrom('left' as const, 'right' as const),
  })
  .map((query): Query => {
    if (query.index.kind !== 'key') return query;
    const withoutValue = (bound: Bound | null): Bound | null => bound && { ...bound, value: null };
    return { ...query, lower: withoutValue(query.lower), upper: withoutValue(query.upper) };
  });

test('[K26] every query at every path returns the same as its evaluation in memory, with complete and incomplete indexes', () => {
  fc.assert(
    fc.property(
      histories,
      fc.array(fc.tuple(historyPaths, queries), { minLength: 30 }),
      (steps, requests) => {
        using store = new MemoryStore();
        const twins = new Twins(store);
        for (const step of steps) twins.run(step);
        for (const isFinished of [false, true]) {
          if (isFinished) twins.finishWork();
          store.read((tx) => {
            for (const [path, query] of requests) {
              const expected = evaluateQuery(query, nodeAt(twins.model, path)).map(({ key }) => key);
              const rows = [...runQuery(tx, twins.tree, path, query)];
              expect(rows.map(({ entry }) => entry.key)).toEqual(
                query.from === 'left' ? expected : expected.reverse(),
              );
              for (const { child, entry } of rows)
                expect(exportJson(readChildNode(tx, child))).toBe(
                  exportJson(nodeAt(twins.model, [...path, entry.key])),
                );
            }
          });
        }
      },
    ),
    { numRuns: 200 },
  );
});

/** Returns a query's result in the format of REST, computed from the tree in memory. */
function queryJson(node: TreeNode | null, query: Query, form: 'export' | 'plain'): string {
  if (node === null) return 'null';
  const shown = evaluateQuery(query, node).map(({ key }): [Key, TreeNode | null] => [
    key,
    nodeAt(node, [key]),
  ]);
  const isArray = shown.length > 0 && shown.every(([key]) => isArrayIndex(key, shown.length));
  if (form === 'plain' && isArray) {
    const items: string[] = [];
    for (const [key, child] of shown) items[Number(key)] = plainJson(child);
    return `[${Array.from(items, (item) => item ?? 'null').join(',')}]`;
  }
  const print = form === 'plain' ? plainJson : exportJson;
  return `{${shown.map(([key, child]) => `${JSON.stringify(key)}:${print(child)}`).join(',')}}`;
}

function isArrayIndex(key: string, count: number): boolean {
  return /^(0|[1-9][0-9]*)$/.test(key) && Number(key) < 2 * count;
}

test('[K111] the JSON text of every query at every path equals that of its evaluation in memory', () => {
  fc.assert(
    fc.property(
      histories,
      fc.array(fc.tuple(historyPaths, queries), { minLength: 30 }),
      (steps, requests) => {
        using store = new MemoryStore();
        const twins = new Twins(store);
        for (const step of steps) twins.run(step);
        twins.finishWork();
        store.read((tx) => {
          for (const [path, query] of requests)
            for (const form of ['export', 'plain'] as const) {
              const text = joined(queryJsonBytes(tx, twins.tree, path, query, form));
              const expected = queryJson(nodeAt(twins.model, path), query, form);
              // Without an index, children come in key order unless a limit needs query order.
              if (planQuery(tx, twins.tree, path, query).kind === 'scan')
                expect(JSON.parse(text)).toEqual(JSON.parse(expected));
              else expect(text).toBe(expected);
            }
        });
      },
    ),
    { numRuns: 200 },
  );
});

test('[K112] the keys at every path are returned as JSON text, page by page', () => {
  const pages = fc.record({
    startAfter: fc.option(historyKeys),
    limit: fc.option(fc.integer({ min: 1, max: 4 })),
  });
  fc.assert(
    fc.property(histories, fc.array(fc.tuple(historyPaths, pages), { minLength: 10 }), (steps, requests) => {
      using store = new MemoryStore();
      const twins = new Twins(store);
      for (const step of steps) twins.run(step);
      store.read((tx) => {
        for (const [path, page] of requests)
          expect(joined(shallowJsonBytes(tx, twins.tree, path, page))).toBe(
            shallowJson(nodeAt(twins.model, path), page),
          );
      });
    }),
    { numRuns: 200 },
  );
});

function shallowJson(node: TreeNode | null, { startAfter, limit }: KeyPage): string {
  if (node?.kind !== 'inner') return plainJson(node);
  const keys = [...node.children.keys()].filter(
    (key) => startAfter === null || compareKeys(key, startAfter) > 0,
  );
  const shown = keys.slice(0, limit ?? keys.length);
  return `{${shown.map((key) => `${JSON.stringify(key)}:true`).join(',')}}`;
}

/** Returns a tree with numbers and names as keys, small and large leaves, and lists that are, or almost are, arrays. */
function largeTree(count: number): TreeNode | null {
  const children = Array.from({ length: count }, (_, index): [Key, TreeNode] => [
    parseKey(index % 3 === 0 ? String(index) : `k"${index}é`),
    innerNode([
      [
        parseKey('text'),
        leafNode('é'.repeat(index % 500 === 7 ? 50_000 : index % 60), index % 5 === 0 ? index : null),
      ],
      [
        parseKey('list'),
        innerNode([
          [parseKey('0'), leafNode(true)],
          [parseKey('2'), leafNode('x'.repeat(1900))],
        ]) ?? leafNode(0),
      ],
    ]) ?? leafNode(0),
  ]);
  const list = Array.from({ length: count }, (_, index): [Key, TreeNode] => [
    parseKey(String(index * 2 - (index % 2))),
    leafNode('item '.repeat(10)),
  ]);
  return innerNode([
    [parseKey('children'), innerNode(children) ?? leafNode(0)],
    [parseKey('list'), innerNode(list) ?? leafNode(0)],
  ]);
}

test.each(['memory', 'lmdb'])(
  '[K110] JSON text is produced on a snapshot while writes run between its pieces (%s)',
  (kind) => {
    using store = new SnapshotStore(
      kind === 'memory'
        ? new MemoryStore()
        : new LmdbStore({ directory: mkdtempSync(join(parent, 'store.')) }),
    );
    const tree: StoredTree = { holder: store.transact(allocateNodeId), indexesAt: () => [] };
    const node = largeTree(1500);
    store.transact((tx) => void writeNode(tx, tree, [], node));
    const byKey: Query = { index: { kind: 'key' }, lower: null, upper: null, limit: null, from: 'left' };
    using snapshot = openSnapshotOrThrow(store);
    const requests = [
      { pieces: jsonBytes(snapshot, tree, [], 'export'), expected: exportJson(node) },
      { pieces: jsonBytes(snapshot, tree, [], 'plain'), expected: plainJson(node) },
      {
        pieces: queryJsonBytes(snapshot, tree, [parseKey('children')], byKey, 'export'),
        expected: exportJson(nodeAt(node, [parseKey('children')])),
      },
      {
        pieces: shallowJsonBytes(snapshot, tree, [parseKey('list')], { startAfter: null, limit: null }),
        expected: shallowJson(nodeAt(node, [parseKey('list')]), { startAfter: null, limit: null }),
      },
    ].map(({ pieces, expected }) => ({ pieces, expected, made: [] as Buffer[], isDone: false }));
    for (let round = 0; requests.some(({ isDone }) => !isDone); round += 1) {
      store.transact((tx) => {
        const key = parseKey(String((round * 37) % 1500));
        writeNode(
          tx,
          tree,
          [parseKey('children'), key],
          round % 2 === 0 ? null : leafNode('y'.repeat(round)),
        );
        if (round % 10 === 5) writeNode(tx, tree, [parseKey('list')], leafNode(round));
        for (let index = 0; index < 40; index += 1)
          writeNode(tx, tree, [parseKey('children'), parseKey(`new${round}-${index}`)], leafNode(true));
        reclaimStep(tx, 300);
      });
      store.read(() => {
        for (const one of requests) {
          const { value, done } = one.pieces.next();
          if (done === true) one.isDone = true;
          else one.made.push(Buffer.from(value));
        }
      });
    }
    for (const { made, expected } of requests) expect(Buffer.concat(made).toString()).toBe(expected);
    expect(Math.max(...requests.flatMap(({ made }) => made.map(({ length }) => length)))).toBeLessThan(
      110_000,
    );
  },
);

function openSnapshotOrThrow(store: SnapshotStore): KvSnapshot {
  const snapshot = store.openSnapshot();
  if (snapshot === undefined) throw new Error('There are too many snapshots.');
  return snapshot;
}
