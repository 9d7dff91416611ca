import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonScanner } from '../../storage/tree/json-scanner.ts';
import { JsonValue } from './json-value.ts';

function parseInPieces(text: string, pieceBytes: number, maxMembers = 100): unknown {
  const value = new JsonValue(maxMembers);
  const scanner = new JsonScanner(value);
  const bytes = Buffer.from(text);
  let taken = 0;
  for (let end = pieceBytes; taken < bytes.length; end = Math.min(end + pieceBytes, bytes.length))
    taken += scanner.scan(bytes.subarray(taken, end), end >= bytes.length);
  return value.value;
}

test('[W180] data that are parsed in steps have the same value as data that are parsed at once', () => {
  const texts = fc.oneof(fc.json(), fc.json({ stringUnit: 'binary' }));
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 50 }), (text, pieceBytes) => {
      expect(parseInPieces(text, pieceBytes)).toEqual(parseJsonText(text));
    }),
    { numRuns: 300 },
  );
});

test.each([
  '{"a":1,"b":2,"a":{"c":3}}',
  '{"a":{"x":1},"a":{"y":2}}',
  '{"\\"":1,"\\\\":2,"%":3,"\\u0041":4}',
  '[9007199254740993,-9007199254740993,1e3,0.1,123456789012345678901234567890]',
  '{"2":"b","1":"a"}',
  '[[],{},null,[null,{"a":null}]]',
  '"\\ud800"',
])('[W180] %s is parsed in steps as at once', (text) => {
  expect(parseInPieces(text, 3)).toStrictEqual(parseJsonText(text));
});

test('[W180] a member named __proto__ is an ordinary member', () => {
  const value = parseInPieces('{"__proto__":{"a":1}}', 100);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.entries(value ?? {})).toEqual([['__proto__', { a: 1 }]]);
});

test('[W180] only the members of the outermost object are limited', () => {
  const many = `{${Array.from({ length: 4 }, (_, n) => `"a${n}":1`).join()}}`;
  expect(() => parseInPieces(many, 100, 3)).toThrow(expect.objectContaining({ code: 'write/too-big' }));
  expect(parseInPieces(`{"a":${many}}`, 100, 3)).toEqual({ a: JSON.parse(many) });
});
