import { RequestError } from '@hearth/core/error/request-error.ts';
import { formatPath, parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { parseUpdate } from './write-input.ts';

function pathsOf(base: string, ...relatives: readonly string[]): readonly string[] | string {
  try {
    const update = Object.fromEntries(relatives.map((relative) => [relative, 1]));
    return parseUpdate(parsePath(base), update).map(({ kind, path }) => `${kind} ${formatPath(path)}`);
  } catch (error) {
    if (error instanceof RequestError) return error.code;
    throw error;
  }
}

test.each([
  [['a', 'a/b']],
  [['a/b', 'a']],
  [['a/b/c', 'a']],
  [['a', '/a']],
  [['a//b', 'a/b/']],
  [['', 'a']],
  [['a', 'a/.priority']],
  [['a/.priority', 'a']],
  [['a/.priority', '/a/.priority']],
  [['', '.priority']],
  [['x', 'a/b', 'y', 'a']],
])('[L50] the paths %j are in conflict', (relatives) => {
  expect(pathsOf('base', ...relatives)).toBe('path/conflict');
});

test.each([
  [[], []],
  [
    ['a', 'b'],
    ['node base/a', 'node base/b'],
  ],
  [
    ['a', 'ab'],
    ['node base/a', 'node base/ab'],
  ],
  [
    ['a/b', 'a/c'],
    ['node base/a/b', 'node base/a/c'],
  ],
  [
    ['1', '01'],
    ['node base/1', 'node base/01'],
  ],
  [[''], ['node base']],
])('[L50] the paths %j are not in conflict', (relatives, expected) => {
  expect(pathsOf('base', ...relatives)).toEqual(expected);
});

test('[L69] an update changes at most 50,000 paths', () => {
  const manyPaths = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `k${index}`);
  expect(pathsOf('base', ...manyPaths(50_000))).toHaveLength(50_000);
  expect(pathsOf('base', ...manyPaths(50_001))).toBe('write/too-big');
});

test.each([
  [{ 'a/.priority': 1, 'a/b': 1 }, ['node base/a/b', 'priority base/a']],
  [{ '.priority': 1, b: 1, a: 1 }, ['node base/b', 'node base/a', 'priority base']],
  [{ b: 1, c: null, '10': { x: null }, a: 1 }, ['node base/10', 'node base/c', 'node base/b', 'node base/a']],
])('[L51] the update %j is executed in the order %j', (update, expected) => {
  const writes = parseUpdate(parsePath('base'), update);
  expect(writes.map(({ kind, path }) => `${kind} ${formatPath(path)}`)).toEqual(expected);
});

test.each([
  ['value/not-an-object', 'base', null],
  ['value/not-an-object', 'base', [1]],
  ['value/not-an-object', 'base', 'a'],
  ['path/invalid', 'base', { 'a.b': 1 }],
  ['path/reserved', '', { '.info/connected': 1 }],
  ['path/too-deep', 'a/'.repeat(31), { 'b/c': 1 }],
  ['path/too-deep', 'a/'.repeat(32), { '': { b: 1 } }],
  ['priority/invalid', 'base', { 'a/.priority': true }],
])('[W32][W37][W40] an update is rejected with %s at the path "%s": %j', (code, base, update) => {
  expect(() => parseUpdate(parsePath(base), update)).toThrow(
    expect.objectContaining({ name: 'RequestError', code }),
  );
});
