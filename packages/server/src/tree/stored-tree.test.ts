import { createHash, hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluateQuery } from '@hearth/core/query/evaluate.ts';
import { type Bound, MAX_KEY, MIN_KEY, type Query, type QueryIndex } from '@hearth/core/query/query.ts';
import { hashNode } from '@hearth/core/tree/digest.ts';
import { compareKeys, type Key } from '@hearth/core/tree/key.ts';
import { isEqualNode, nodeAt, replaceAt, replacePriorityAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson, plainJson } from '@hearth/core/tree/node-json.ts';
import { type IndexValue, indexValueOf, OBJECT } from '@hearth/core/tree/order.ts';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { LmdbStore } from '../kv/lmdb.ts';
import { MemoryStore } from '../kv/memory.ts';
import type { KvRead, KvStore } from '../kv/store.ts';
import { checkStore } from './check-store.ts';
import { readChildNode, readChildren } from './children.ts';
import { HashMemory } from './hash-memory.ts';
import { histories, historyKeys, historyPaths, historyScalars, type Step } from './history.arbitrary.ts';
import { indexStep } from './index-build.ts';
import { changeIndexCatalog, indexesByPath } from './index-catalog.ts';
import { jsonPieces } from './json-pieces.ts';
import { findNode, hasChildren, readIndexValue, readPriority } from './read.ts';
import { reclaimStep } from './reclaim.ts';
import { runQuery } from './run-query.ts';
import { type Hashing, hashStored, type Sha1Source } from './stored-digest.ts';
import { allocateNodeId, type StoredTree } from './stored-tree.ts';
import { writeNode, writePriority } from './write.ts';

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

/** A stored tree and the tree in memory that it must equal. */
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
  return [...jsonPieces(tx, tree, path, form)].join('');
}

const parent = mkdtempSync(join(tmpdir(), 'hearth-tree-'));
afterAll(() => rmSync(parent, { recursive: true }));

test('[K20][K21][K22] after any history the stored tree equals the tree in memory, and the store is sound', () => {
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

test('[K20][K21][K22] so it does in LMDB', () => {
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

test('[K23][K24][K25] every read at every path gives what the tree in memory gives', () => {
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

test('[K26] every query at every path gives what its evaluation in memory gives, whatever is indexed so far', () => {
  fc.assert(
    fc.property(histories, fc.array(fc.tuple(historyPaths, queries), { minLength: 30 }), (steps, asked) => {
      using store = new MemoryStore();
      const twins = new Twins(store);
      for (const step of steps) twins.run(step);
      for (const isFinished of [false, true]) {
        if (isFinished) twins.finishWork();
        store.read((tx) => {
          for (const [path, query] of asked) {
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
    }),
    { numRuns: 200 },
  );
});
