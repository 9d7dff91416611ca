import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RequestError } from '../error/request-error.ts';
import { keyArbitrary, pathArbitrary, textArbitrary } from './node.arbitrary.ts';
import {
  formatPath,
  isAtOrAbove,
  joinPaths,
  MAX_DEPTH,
  parsePath,
  parsePathSegments,
  parseWritePath,
  pathOf,
  ROOT,
} from './path.ts';

test.each([
  ['', []],
  ['/', []],
  ['//', []],
  ['a', ['a']],
  ['/a', ['a']],
  ['a/', ['a']],
  ['/a//b/', ['a', 'b']],
  ['///a///b///c///', ['a', 'b', 'c']],
  ['/with space/%2F/火', ['with space', '%2F', '火']],
  ['/__proto__/constructor', ['__proto__', 'constructor']],
])('[T5] %j has the keys %j', (text, keys) => {
  expect(parsePath(text)).toEqual(keys);
  expect(formatPath(parsePath(text))).toBe(keys.join('/'));
});

test('[T5] the root is the empty path', () => {
  expect(ROOT).toEqual([]);
  expect(formatPath(ROOT)).toBe('');
});

test('[T5] a printed path parses to the same path', () => {
  fc.assert(
    fc.property(pathArbitrary, (path) => {
      expect(parsePath(formatPath(path))).toEqual(path);
      expect(parsePath(`/${formatPath(path)}/`)).toEqual(path);
      expect(parsePathSegments(path)).toEqual(path);
    }),
  );
});

test.each([
  ['a/./b', 'path/invalid'],
  ['a/../b', 'path/invalid'],
  ['a#b', 'path/invalid'],
  ['a$b', 'path/invalid'],
  ['[0]', 'path/invalid'],
  ['a\n', 'path/invalid'],
  ['a\u007f', 'path/invalid'],
  ['a/.priority', 'path/invalid'],
  ['.info/connected', 'path/invalid'],
  [`a/${'b'.repeat(769)}`, 'key/too-long'],
])('[T2] the path %j is rejected with %s', (text, code) => {
  expect(() => parsePath(text)).toThrow(expect.objectContaining({ code }));
});

test('[T2] a separate segment that is empty or contains a slash or a dot is rejected', () => {
  for (const segment of ['a/b', '', '.'])
    expect(() => parsePathSegments([segment])).toThrow(expect.objectContaining({ code: 'path/invalid' }));
});

test('[T6] a path of 32 keys is accepted, and one of 33 is rejected', () => {
  const deepest = 'k/'.repeat(MAX_DEPTH);
  expect(parsePath(deepest)).toHaveLength(32);
  expect(parseWritePath(`${deepest}.priority`)).toEqual({ path: parsePath(deepest), isPriority: true });
  for (const parse of [parsePath, parseWritePath])
    expect(() => parse(`${deepest}k`)).toThrow(expect.objectContaining({ code: 'path/too-deep' }));
  expect(() => parsePathSegments(Array(33).fill('k'))).toThrow(
    expect.objectContaining({ code: 'path/too-deep' }),
  );
});

test.each([
  ['/a/b', ['a', 'b'], false],
  ['/a/b/.priority', ['a', 'b'], true],
  ['a/.priority/', ['a'], true],
  ['.priority', [], true],
  ['/', [], false],
])('[T7] a write to %j is accepted', (text, path, isPriority) => {
  expect(parseWritePath(text)).toEqual({ path, isPriority });
});

test.each(['.priority/a', 'a/.priority/b', 'a/.priority/.priority', 'a/.value', '.sv', 'a/.info'])(
  '[T7] a write to %j is rejected',
  (text) => {
    expect(() => parseWritePath(text)).toThrow(expect.objectContaining({ code: 'path/invalid' }));
  },
);

test.each(['.info', '/.info/', '/.info/connected', '.info/a/b', '/.info/.priority'])(
  '[T8] a write to %j is rejected',
  (text) => {
    expect(() => parseWritePath(text)).toThrow(expect.objectContaining({ code: 'path/reserved' }));
  },
);

test.each([
  ['', '', true],
  ['', 'a/b', true],
  ['a', 'a', true],
  ['a', 'a/b', true],
  ['a/b', 'a', false],
  ['a', 'ab', false],
  ['a/b', 'a/c/b', false],
  ['1', '01', false],
])('[T9] %j is at or above %j: %s', (ancestor, path, expected) => {
  expect(isAtOrAbove(parsePath(ancestor), parsePath(path))).toBe(expected);
});

test('[T9] a path is at or above each path that begins with it', () => {
  fc.assert(
    fc.property(pathArbitrary, fc.array(keyArbitrary, { maxLength: 3 }), (path, rest) => {
      const below = joinPaths(path, rest);
      expect(formatPath(below)).toBe(formatPath([...path, ...rest]));
      expect(isAtOrAbove(path, below)).toBe(true);
      expect(isAtOrAbove(below, path)).toBe(rest.length === 0);
      expect(joinPaths(ROOT, pathOf(rest))).toEqual(rest);
    }),
  );
});

test('[T47] arbitrary text gives a path or a request error', () => {
  const slashed = fc.array(textArbitrary, { maxLength: 40 }).map((parts) => parts.join('/'));
  fc.assert(
    fc.property(fc.oneof(textArbitrary, slashed), (text) => {
      for (const parse of [parsePath, parseWritePath])
        try {
          parse(text);
        } catch (error) {
          if (!(error instanceof RequestError)) throw error;
        }
    }),
  );
});
