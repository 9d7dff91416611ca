import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJsonText } from './json-text.ts';
import { treeArbitrary } from './node.arbitrary.ts';
import { exportJson, parseNodeJson, plainJson, plainJsonFromExport } from './node-json.ts';

test.each([
  ['null', 'null'],
  ['9223372036854775807', '9223372036854775807'],
  ['"a\\n\\u2028\\""', '"a\\n\u2028\\""'],
  ['{".value":1,".priority":2}', '1'],
  ['{"a":{"b":1,".priority":"x"},".priority":3}', '{"a":{"b":1}}'],
  ['{"0":"a","1":{".value":"b",".priority":1},"2":"c",".priority":3}', '["a","b","c"]'],
  ['{"0":"a","2":"c"}', '["a",null,"c"]'],
  ['{"3":"d"}', '{"3":"d"}'],
  ['{"00":"a","1":"b"}', '{"1":"b","00":"a"}'],
  ['{"__proto__":1}', '{"__proto__":1}'],
])('[H153] the plain form of %s is %s', (text, plain) => {
  expect(plainJsonFromExport(parseJsonText(text))).toBe(plain);
});

test('[H153] a tree has the same plain form from its nodes and from its export form, except for the order of keys', () => {
  fc.assert(
    fc.property(treeArbitrary, (tree) => {
      const plain = plainJsonFromExport(parseJsonText(exportJson(tree)));
      expect(plainJson(parseNodeJson(plain))).toBe(plainJson(tree));
      expect(plain.startsWith('[')).toBe(plainJson(tree).startsWith('['));
    }),
  );
});
