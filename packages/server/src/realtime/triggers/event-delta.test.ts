import { parseNodeJson } from '@hearth/core/tree/node-json.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { valueDelta, valueJson } from './event.ts';

function delta(before: string, after: string): unknown {
  const json = valueDelta(parseNodeJson(before), parseNodeJson(after));
  return json === undefined ? undefined : JSON.parse(json);
}

test.each<readonly [string, string, unknown]>([
  ['null', '1', 1],
  ['1', 'null', null],
  ['1', '1', undefined],
  ['1', '{".value":1,".priority":2}', undefined],
  ['{"a":1,"b":2}', '{"a":1,"b":3}', { b: 3 }],
  ['{"a":1,"b":{"c":2,"d":4}}', '{"b":{"d":4,"e":5}}', { a: null, b: { c: null, e: 5 } }],
  ['{"a":1}', '"leaf"', 'leaf'],
  ['"leaf"', '{"a":1}', { a: 1 }],
  ['{"0":"a","1":"b"}', '{"0":"a","1":"c"}', { 1: 'c' }],
  ['9007199254740993', '9007199254740992', 9007199254740992],
])('[H90] the change from %s to %s is %j', (before, after, expected) => {
  expect(delta(before, after)).toEqual(expected);
});

/** Applies a change as functions do: members of objects one by one, everything else as a whole. */
function applyChange(before: unknown, change: unknown): unknown {
  if (!isObject(before) || !isObject(change)) return change;
  const merged = Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(change)])]
      .filter((key) => change[key] !== null)
      .map((key) => [key, key in change ? applyChange(before[key], change[key]) : before[key]]),
  );
  return merged;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

const { tree: arbitraryTree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.boolean(),
    fc.integer({ min: 0, max: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '0', '1'), tie('tree'), { minKeys: 1 }),
  ),
}));

test('[H90] a value with its change applied equals the new value', () => {
  fc.assert(
    fc.property(arbitraryTree, arbitraryTree, (first, second) => {
      const [before, after] = [first, second].map((value) => parseNodeJson(JSON.stringify(value)));
      const change = valueDelta(before ?? null, after ?? null);
      const applied =
        change === undefined
          ? JSON.parse(valueJson(before ?? null))
          : applyChange(JSON.parse(valueJson(before ?? null)), JSON.parse(change));
      expect(applied).toEqual(JSON.parse(valueJson(after ?? null)));
    }),
  );
});
