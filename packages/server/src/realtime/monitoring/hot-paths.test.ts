import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HALF_LIFE_MS, HotPaths, pathTemplate } from './hot-paths.ts';

const NO_RULES = parseRules('{"rules":{}}').root;

function record(hot: HotPaths, path: string): void {
  hot.record(parsePath(path), NO_RULES);
}

test('[H447] paths are counted by their first five levels, most frequent first', () => {
  const hot = new HotPaths();
  for (const path of ['a/b/c/d/e/f', 'a/b/c/d/e/g', 'a', '/']) record(hot, path);
  expect(hot.top(10)).toEqual([
    { path: '/a/b/c/d/e', count: 2 },
    { path: '/a', count: 1 },
    { path: '/', count: 1 },
  ]);
  expect(hot.top(1)).toHaveLength(1);
});

test('[H447] at most 200 paths are kept, and a frequent path is never missed', () => {
  const hot = new HotPaths();
  for (let round = 0; round < 400; round++) {
    record(hot, `rare/r${round}`);
    record(hot, 'often');
    if (round % 100 === 0) hot.tick();
  }
  expect(hot.top(1_000)).toHaveLength(200);
  expect(hot.top(1)[0]?.path).toBe('/often');
});

test('[H447] a new path replaces the path with the lowest count, even if that path was just added', () => {
  const hot = new HotPaths();
  record(hot, 'p0');
  for (let round = 0; round < 5; round++) {
    for (let path = 1; path < 200; path++) record(hot, `p${path}`);
    // Above 500 operations per second, only some are counted.
    hot.tick();
  }
  record(hot, 'x');
  record(hot, 'y');
  const counts = new Map(hot.top(1_000).map(({ path, count }) => [path, count]));
  expect([counts.get('/p0'), counts.get('/x'), counts.get('/y')]).toEqual([undefined, undefined, 3]);
});

test('[H447] a path without a counter replaces the path with the lowest count', () => {
  const path = fc.integer({ min: 0, max: 400 }).map((n) => Math.floor(n ** 1.5 / 20));
  fc.assert(
    fc.property(fc.array(path, { minLength: 400, maxLength: 500 }), (numbers) => {
      const hot = new HotPaths();
      for (const number of numbers) {
        const before = new Map(hot.top(1_000).map(({ path, count }) => [path, count]));
        record(hot, `p${number}`);
        if (before.has(`/p${number}`) || before.size < 200) continue;
        const after = new Map(hot.top(1_000).map(({ path, count }) => [path, count]));
        const least = Math.min(...before.values());
        expect(after.get(`/p${number}`)).toBe(least + 1);
        const gone = [...before.keys()].filter((known) => !after.has(known));
        expect(gone.map((known) => before.get(known))).toEqual([least]);
      }
    }),
    { numRuns: 20, endOnFailure: true },
  );
});

test('[H448] if there are very many operations in a second, only a sample of them is counted, with a higher weight', () => {
  const hot = new HotPaths();
  for (let count = 0; count < 100_000; count++) record(hot, 'a');
  const [first] = hot.top(1);
  expect(first?.count).toBeGreaterThan(99_000);
  expect(first?.count).toBeLessThan(101_000);
});

test('[H447] the weight of an operation halves after 5 minutes and finally becomes 0', () => {
  const hot = new HotPaths();
  for (let count = 0; count < 100; count++) record(hot, 'a');
  const pass = (ms: number): void => {
    for (let second = 0; second < ms / 1_000; second++) hot.tick();
  };
  pass(HALF_LIFE_MS);
  expect(hot.top(1)[0]?.count).toBeCloseTo(50, 0);
  pass(HALF_LIFE_MS * 12);
  expect(hot.top(1)).toEqual([]);
});

test('[H447] a long path is truncated', () => {
  const hot = new HotPaths();
  record(hot, `${'x'.repeat(768)}/y`);
  expect(hot.top(1)[0]?.path).toHaveLength(500);
});

const RULES = parseRules(
  '{"rules":{"rooms":{"lobby":{},"$room":{"messages":{"$id":{}}}},"users":{"$uid":{".read":true}}}}',
).root;

test.each([
  ['/', '/'],
  ['/rooms', '/rooms'],
  ['/rooms/r1', '/rooms/$room'],
  ['/rooms/lobby', '/rooms/lobby'],
  ['/rooms/r1/messages/m1/text', '/rooms/$room/messages/$id/text'],
  ['/rooms/lobby/x1/-NabcdefghijklmnopQR', '/rooms/lobby/x1/*'],
  ['/users/ann/name', '/users/$uid/name'],
  ['/other/7', '/other/*'],
  ['/other/MrrBsEh8OMjxX12N76Xrlah16Wb4', '/other/*'],
  ['/other/c7e5b9a0-0d3c-4f0a-9b1e-2f6a1c9d8e70', '/other/*'],
  ['/other/configuration', '/other/configuration'],
])('[H447] operations at %s are counted at %s', (path, template) => {
  expect(pathTemplate(parsePath(path), RULES)).toBe(template);
});
