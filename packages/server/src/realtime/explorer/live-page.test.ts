import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { parseKey } from '@hearth/core/tree/key.ts';
import { parsePath, parseWritePath } from '@hearth/core/tree/path.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ADMIN } from '../../access/principal.ts';
import { feedSourceContract } from '../../http/feed.contract.ts';
import type { FeedStep } from '../../http/feed.ts';
import { createLogger } from '../../platform/logger.ts';
import { openTestPool } from '../../platform/pools.fixture.ts';
import { OPEN_RULES } from '../../rules/publishing/versions.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { SnapshotStore } from '../../storage/kv/snapshot-store.ts';
import { EmbeddedLog } from '../../storage/log/embedded.ts';
import { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import { type PagePosition, readChildPage, readPageEdges } from '../../storage/tree/child-page.ts';
import { NO_TREE } from '../../storage/tree/stored-tree.ts';
import { findStoredTree } from '../database/catalog.ts';
import { Databases } from '../database/registry.ts';
import { parseSet, parseUpdate } from '../database/write-input.ts';
import { LivePage, takePageReading } from './live-page.ts';
import { childPageJson } from './page.ts';

const NAME = 'demo';
const RUNS = 150;
const SEED = 20_260_102;

/** A database in memory with live pages. Counts how often the store is read for them. */
class TestBed {
  readonly #store = new SnapshotStore(new MemoryStore());
  readonly #scheduler: TransactionScheduler;
  readonly #databases: Databases;
  elapsedMs = 0;
  pagesRead = 0;
  edgesRead = 0;
  wakes = 0;
  /** Duration of reading a page, in ms. */
  readMs = 0;

  constructor() {
    const clock = { nowMs: () => 1_000, elapsedMs: () => this.elapsedMs };
    const logger = createLogger('silent', { write: () => undefined });
    const store = this.#store;
    this.#scheduler = new TransactionScheduler({ log: new EmbeddedLog({ store }), clock, logger });
    this.#databases = new Databases({
      longReads: openTestPool(),
      store,
      scheduler: this.#scheduler,
      clock,
      logger,
      randomBytes: (count) => new Uint8Array(count),
      newDatabaseRules: OPEN_RULES,
    });
  }

  follow(pathText: string, position: PagePosition, limit: number): LivePage {
    const path = parsePath(pathText);
    const { listens } = this.#databases.open(NAME);
    const clock = { nowMs: () => 0, elapsedMs: () => this.elapsedMs };
    const readPage = () => {
      this.pagesRead += 1;
      this.elapsedMs += this.readMs;
      return this.#store.read((tx) =>
        readChildPage(tx, findStoredTree(tx, NAME) ?? NO_TREE, path, position, limit),
      );
    };
    return new LivePage({
      clock,
      position,
      readPage: () => takePageReading(clock, readPage),
      readEdges: ({ keys }) => {
        this.edgesRead += 1;
        return this.#store.read((tx) => readPageEdges(tx, findStoredTree(tx, NAME) ?? NO_TREE, path, keys));
      },
      watch: (watcher) => {
        listens.addWatcher(path, watcher);
        return () => listens.removeWatcher(path, watcher);
      },
      wake: () => {
        this.wakes += 1;
      },
      countPages: () => 100,
    });
  }

  plain(pathText: string, position: PagePosition, limit: number): string {
    return this.#store.read((tx) =>
      childPageJson(
        readChildPage(tx, findStoredTree(tx, NAME) ?? NO_TREE, parsePath(pathText), position, limit),
      ),
    );
  }

  async set(path: string, json: unknown): Promise<void> {
    await this.#write([parseSet(parseWritePath(path), json)]);
  }

  async update(path: string, json: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#write(parseUpdate(parsePath(path), json));
  }

  get listenCount(): number {
    return this.#databases.open(NAME).listens.count;
  }

  async #write(writes: Parameters<Databases['write']>[1]['writes']): Promise<void> {
    await this.#databases.write(NAME, { operation: 'PUT', identity: ADMIN, writes });
    await this.#scheduler.drain();
  }
}

/** Returns the page of an event, without the keys of the changes. */
function pageOf(step: FeedStep): unknown {
  const { changed: _changed, ...page } = dataOf(step);
  return page;
}

function changedOf(step: FeedStep): unknown {
  return dataOf(step)['changed'];
}

function textOf(step: FeedStep): string {
  if (step.kind !== 'event') throw new Error(`Expected an event, but got: wait ${step.ms} ms`);
  return Buffer.concat(step.parts).toString();
}

function dataOf(step: FeedStep): Readonly<Record<string, unknown>> {
  const [, json = ''] = /^event: page\ndata: (.*)\n\n$/.exec(textOf(step)) ?? [];
  return parseJsonText(json) as Readonly<Record<string, unknown>>;
}

/** Returns the children of a list: `k100`, `k101` … */
function rows(count: number): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${100 + index}`, index]));
}

const FIRST: PagePosition = { kind: 'first' };

feedSourceContract('live page', async () => {
  const testBed = new TestBed();
  let count = 0;
  await testBed.set('list', rows(5));
  return {
    source: testBed.follow('list', FIRST, 3),
    change: () => testBed.set('list/k101', `changed ${++count}`),
    wakes: () => testBed.wakes,
    isFollowing: () => testBed.listenCount > 0,
    pass(ms) {
      testBed.elapsedMs += ms;
    },
  };
});

test('[H421] the first event is the plain response, and each change sends the page with the changed keys', async () => {
  const testBed = new TestBed();
  await testBed.set('list', { ...rows(5), k102: { deep: { er: 1 } } });
  const page = testBed.follow('list', FIRST, 3);
  const first = page.next();
  expect(textOf(first)).toBe(`event: page\ndata: ${testBed.plain('list', FIRST, 3)}\n\n`);
  const cases = [
    { path: 'list/k101', json: 'x', changed: ['k101'] },
    { path: 'list/k102/deep/er', json: 2, changed: ['k102'] },
    { path: 'list/k101', json: null, changed: ['k101'] },
    { path: 'list/k0', json: true, changed: ['k0'] },
    { path: 'list/k100/.priority', json: 7, changed: ['k100'] },
    { path: 'list/.priority', json: 7, changed: [] },
    { path: 'list', json: { k102: 1, k9: 2 }, changed: ['k0', 'k100', 'k102', 'k9'] },
    { path: '', json: null, changed: ['k102', 'k9'] },
    { path: 'list/k5/x', json: 1, changed: ['k5'] },
  ];
  for (const { path, json, changed } of cases) {
    testBed.elapsedMs += 1_000;
    await testBed.set(path, json);
    const step = page.next();
    expect(pageOf(step), path).toEqual(parseJsonText(testBed.plain('list', FIRST, 3)));
    expect(changedOf(step), path).toEqual(changed);
  }
});

test('[H422] a write outside the range of a page does not cause the page to be read again', async () => {
  const testBed = new TestBed();
  await testBed.set('list', rows(100));
  const page = testBed.follow('list', FIRST, 10);
  page.next();
  for (let index = 0; index < 50; index++) {
    await testBed.set(`list/k${110 + index}`, 'changed');
    await testBed.set('elsewhere', index);
    expect(page.next().kind).toBe('wait');
    testBed.elapsedMs += 10;
  }
  expect(testBed.pagesRead).toBe(1);
  expect(testBed.edgesRead).toBeLessThanOrEqual(8);
  await testBed.set('elsewhere', 'x');
  testBed.elapsedMs += 1_000;
  page.next();
  expect(page.next()).toEqual({ kind: 'wait', ms: Number.POSITIVE_INFINITY });
});

test('[H422] a change of `next` is sent', async () => {
  const testBed = new TestBed();
  await testBed.set('list', rows(3));
  const page = testBed.follow('list', FIRST, 2);
  expect(pageOf(page.next())).toMatchObject({ next: 'k101' });
  await testBed.set('list/k102', null);
  const step = page.next();
  expect(pageOf(step)).toMatchObject({ next: null });
  expect(changedOf(step)).toEqual([]);
});

test('[H423] the first change is sent immediately, and following changes together', async () => {
  const testBed = new TestBed();
  await testBed.set('list', rows(5));
  const page = testBed.follow('list', FIRST, 5);
  page.next();
  testBed.elapsedMs = 500;
  await testBed.set('list/k100', 'a');
  expect(changedOf(page.next())).toEqual(['k100']);
  await testBed.set('list/k101', 'b');
  expect(page.next()).toEqual({ kind: 'wait', ms: 80 });
  testBed.elapsedMs = 550;
  await testBed.update('list', { k102: 'c', k103: null });
  expect(page.next()).toEqual({ kind: 'wait', ms: 30 });
  testBed.elapsedMs = 580;
  expect(changedOf(page.next())).toEqual(['k101', 'k102', 'k103']);
  expect(testBed.wakes).toBe(2);
});

test.each([
  { readMs: 0.1, restMs: 80 },
  { readMs: 2, restMs: 600 },
  { readMs: 100, restMs: 2_000 },
])(
  '[H423] the interval grows with the time that reading all pages takes: $readMs ms for each page',
  async ({ readMs, restMs }) => {
    const testBed = new TestBed();
    await testBed.set('list', rows(5));
    const page = testBed.follow('list', FIRST, 5);
    testBed.readMs = readMs;
    page.next();
    await testBed.set('list/k100', 'a');
    expect(page.next()).toEqual({ kind: 'wait', ms: expect.closeTo(restMs) });
  },
);

test('[H423] more changed keys than the limit are sent as changes of all keys', async () => {
  const testBed = new TestBed();
  await testBed.set('list', rows(2));
  const page = testBed.follow('list', FIRST, 10);
  page.next();
  testBed.elapsedMs = 500;
  await testBed.update(
    'list',
    Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`m${index}`, 1])),
  );
  expect(changedOf(page.next())).toContain('k100');
});

test('[H424] a last page follows the tail, and other pages keep their position', async () => {
  const testBed = new TestBed();
  await testBed.set('list', rows(20));
  const positions: readonly PagePosition[] = [
    { kind: 'last' },
    { kind: 'from', key: parseKey('k105') },
    { kind: 'after', key: parseKey('k105') },
    { kind: 'before', key: parseKey('k105') },
  ];
  const pages = positions.map((position) => ({ position, page: testBed.follow('list', position, 3) }));
  for (const { page } of pages) page.next();
  testBed.elapsedMs = 500;
  await testBed.update('list', { k120: 'new', k105: 'x', k106: null, k104: 'y' });
  const keys = pages.map(({ position, page }) => {
    const step = page.next();
    expect(pageOf(step), position.kind).toEqual(parseJsonText(testBed.plain('list', position, 3)));
    return changedOf(step);
  });
  expect(keys).toEqual([['k120'], ['k105', 'k106'], ['k106'], ['k104']]);
});

test('[H426] a page that has ended has no subscription', () => {
  const testBed = new TestBed();
  const page = testBed.follow('list', FIRST, 3);
  expect(testBed.listenCount).toBe(1);
  page.end();
  expect(testBed.listenCount).toBe(0);
});

const keys = fc.constantFrom('a', 'b', 'c', 'd', '1', '2', '10', 'x').map(parseKey);
const positions: fc.Arbitrary<PagePosition> = fc.oneof(
  fc.constantFrom<PagePosition>({ kind: 'first' }, { kind: 'last' }),
  fc
    .tuple(fc.constantFrom('from' as const, 'after' as const, 'before' as const), keys)
    .map(([kind, key]): PagePosition => ({ kind, key })),
);
const scalars = fc.constantFrom(null, 1, true, 'x', 'y'.repeat(2_500));
const values = fc.oneof(
  scalars,
  fc.dictionary(keys, fc.oneof(scalars, fc.dictionary(keys, scalars, { maxKeys: 3 })), { maxKeys: 8 }),
);
const writes = fc.oneof(
  fc.tuple(fc.array(keys, { maxLength: 4 }), values).map(([path, json]) => ({ path: path.join('/'), json })),
  fc
    .tuple(fc.array(keys, { maxLength: 2 }), fc.constantFrom(null, 1, 'p'))
    .map(([path, json]) => ({ path: [...path, '.priority'].join('/'), json })),
);

test('[H421][H422] after any writes, the last sent page equals the plain response', async () => {
  const property = fc.asyncProperty(
    fc.array(
      fc.record({
        path: fc.constantFrom('', 'a', 'a/b'),
        position: positions,
        limit: fc.integer({ min: 1, max: 4 }),
      }),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
    fc.array(fc.record({ write: writes, passMs: fc.constantFrom(0, 30, 200) }), { maxLength: 20 }),
    async (requests, steps) => {
      const testBed = new TestBed();
      await testBed.set('', { a: { b: { c: 1, d: 2, x: 3 }, '1': 1, '2': 2 }, b: 1, x: 'y'.repeat(2_500) });
      const followed = requests.map((request) => {
        const page = testBed.follow(request.path, request.position, request.limit);
        return { request, page, reported: pageOf(page.next()) };
      });
      const take = (): void => {
        for (const item of followed) {
          const step = item.page.next();
          if (step.kind === 'event') item.reported = pageOf(step);
        }
      };
      for (const { write, passMs } of steps) {
        await testBed.set(write.path, write.json);
        testBed.elapsedMs += passMs;
        take();
      }
      testBed.elapsedMs += 1_000;
      take();
      for (const { request, reported } of followed)
        expect(reported).toEqual(parseJsonText(testBed.plain(request.path, request.position, request.limit)));
    },
  );
  await fc.assert(property, { numRuns: RUNS, seed: SEED });
});
