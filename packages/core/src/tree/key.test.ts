/// <reference types="node" />
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RequestError } from '../error/request-error.ts';
import { compareKeys, findKeyInteger, isKey, MAX_KEY_BYTES, parseKey } from './key.ts';
import { keyArbitrary, textArbitrary } from './node.arbitrary.ts';

describe('valid keys', () => {
  test.each([
    ['one letter', 'a'],
    ['768 bytes of ASCII', 'a'.repeat(768)],
    ['768 bytes in two-byte characters', 'é'.repeat(384)],
    ['768 bytes in three-byte characters', '€'.repeat(256)],
    ['768 bytes in four-byte characters', '\u{1f600}'.repeat(192)],
  ])('[T1] a key of %s is accepted', (_name, text) => {
    expect(parseKey(text)).toBe(text);
  });

  test.each([
    [' leading and trailing '],
    ['"quoted"'],
    ["it's"],
    ['back\\slash'],
    ['a,b;c:d!e?f=g&h%i'],
    ['<>{}()*+-@^_`|~'],
    ['\u0080'],
    ['\u00a0\u2028\ufeff'],
    ['火 🔥'],
    ['%2F'],
  ])('[T2] the key %j is accepted', (text) => {
    expect(parseKey(text)).toBe(text);
  });

  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length'])(
    '[T4] the key %s is accepted',
    (text) => {
      expect(parseKey(text)).toBe(text);
    },
  );
});

describe('rejected keys', () => {
  test.each([
    ['769 bytes of ASCII', 'a'.repeat(769)],
    ['769 bytes that end in a two-byte character', `${'a'.repeat(767)}é`],
    ['771 bytes in three-byte characters', '€'.repeat(257)],
    ['770 bytes that end in a four-byte character', `${'a'.repeat(766)}\u{1f600}`],
  ])('[T1] a key of %s is rejected', (_name, text) => {
    expect(() => parseKey(text)).toThrow(expect.objectContaining({ code: 'key/too-long' }));
  });

  test('[T1] the empty key is rejected', () => {
    expect(() => parseKey('')).toThrow(expect.objectContaining({ code: 'key/invalid' }));
  });

  const controls = [...Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)), '\u007f'];
  test.each([...'.#$[]/', ...controls])(
    '[T2] a key with %j at its start, in its middle or at its end is rejected',
    (bad) => {
      for (const text of [bad, `${bad}a`, `a${bad}b`, `a${bad}`])
        expect(() => parseKey(text)).toThrow(expect.objectContaining({ code: 'key/invalid' }));
    },
  );

  test('[T47] arbitrary text gives a key or a request error', () => {
    fc.assert(
      fc.property(fc.oneof(textArbitrary, fc.string({ maxLength: 900, unit: 'binary' })), (text) => {
        try {
          expect(parseKey(text)).toBe(text);
          expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(MAX_KEY_BYTES);
          expect(isKey(text)).toBe(true);
        } catch (error) {
          if (!(error instanceof RequestError)) throw error;
          expect(isKey(text)).toBe(false);
        }
      }),
    );
  });
});

test.each([
  ['0', 0],
  ['1', 1],
  ['01', 1],
  ['-1', -1],
  ['-001', -1],
  ['2147483647', 2147483647],
  ['02147483647', 2147483647],
  ['-2147483648', -2147483648],
  ['0000000000000000000000000001', 1],
  ['2147483648', undefined],
  ['-2147483649', undefined],
  ['9999999999', undefined],
  ['12345678901', undefined],
  ['+1', undefined],
  ['--1', undefined],
  ['-', undefined],
  ['', undefined],
  ['1.0', undefined],
  ['1e3', undefined],
  ['0x10', undefined],
  [' 1', undefined],
  ['1 ', undefined],
  ['1\n', undefined],
  ['１', undefined],
])('[T10] %j represents the integer %s', (key, value) => {
  expect(findKeyInteger(key)).toBe(value);
});

test.each(['-0', '-00', '00'])('[T10] %j represents zero', (key) => {
  expect(Math.abs(findKeyInteger(key) ?? Number.NaN)).toBe(0);
});

describe('key order', () => {
  test.each([
    [['-2147483648', '-10', '-9', '-1', '0', '1', '2', '9', '10', '100', '2147483647']],
    [['-1', '0', '1', '12345678901', '2147483648', '9999999999', 'a']],
    [['2147483647', '-', '--1', '-2147483649', '-a', '2147483648', '3000000000', 'A', 'a']],
    [['1', ' ', ' 1', '!', '+1', '1a', ':']],
  ])('[T10] the keys %j are in ascending order', expectAscending);

  test.each([
    [['0', '-0', '00', '-00', '000', '1']],
    [['-1', '-01', '-001', '0', '1', '01', '001', '2', '02']],
    [
      [
        '-2147483648',
        '-02147483648',
        '2147483647',
        '02147483647',
        '-02147483649',
        '02147483648',
        '2147483648',
      ],
    ],
  ])('[T11] the keys %j are in ascending order', expectAscending);

  test.each([
    [['A', 'B', 'Z', '_', 'a', 'aa', 'ab', 'b', 'z', '~', 'é', '火']],
    // A surrogate pair begins with a code unit below U+E000, so it sorts before U+FFFD although its code
    // point is greater.
    [['z', '\u07ff', '\ud83d\ude00', '\u{10ffff}', '\ue000', '\ufffd', '\uffff']],
    [['e', 'e\u0301', 'f', '\u00e9']],
    [['Z', '__proto__', 'constructor', 'length']],
  ])('[T12] the keys %j are in ascending order', expectAscending);

  test('[T3] different spellings are different keys', () => {
    expect(compareKeys('01', '1')).not.toBe(0);
    expect(compareKeys('\u00e9', 'e\u0301')).not.toBe(0);
    expect(compareKeys('a', 'A')).not.toBe(0);
    expect(compareKeys('a', 'a ')).not.toBe(0);
  });

  test('[T10][T11][T12] the order of keys is total', () => {
    const key = fc.oneof(
      keyArbitrary,
      textArbitrary,
      fc.stringMatching(/^-?0{0,3}[0-9]{1,11}$/),
      fc.constantFrom('-2147483648', '-2147483649', '2147483647', '2147483648', '', '-'),
    );
    fc.assert(
      fc.property(key, key, key, (a, b, c) => {
        expect(compareKeys(a, b) === 0).toBe(a === b);
        expect(Math.sign(compareKeys(a, b)) + Math.sign(compareKeys(b, a))).toBe(0);
        if (compareKeys(a, b) <= 0 && compareKeys(b, c) <= 0)
          expect(compareKeys(a, c)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 2000 },
    );
  });
});

function expectAscending(keys: readonly string[]): void {
  keys.forEach((low, i) => {
    keys.forEach((high, j) => {
      expect([low, high, Math.sign(compareKeys(low, high))]).toEqual([low, high, Math.sign(i - j)]);
    });
  });
}
