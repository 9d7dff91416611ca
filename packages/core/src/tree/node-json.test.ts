import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RequestError } from '../error/request-error.ts';
import { parseJsonText } from './json-text.ts';
import { compareKeys } from './key.ts';
import { nodeArbitrary, treeArbitrary } from './node.arbitrary.ts';
import { isEqualNode, type TreeNode } from './node.ts';
import { exportJson, isArrayLike, isArrayLikeKeys, parseNodeJson, plainJson } from './node-json.ts';

test.each([
  ['null'],
  ['true'],
  ['-1.5'],
  ['9223372036854775807'],
  ['"a\\"b\\\\\\n"'],
  ['"\\ud800"'],
  ['{"a":1}'],
  ['{".value":1,".priority":2}'],
  ['{".value":"",".priority":""}'],
  ['{"a":{".value":false,".priority":"p"},"b":{"c":1,".priority":-1},".priority":1e+300}'],
  ['{"0":"x","1":"y"}'],
  ['{"-1":1,"0":1,"1":1,"01":1,"\\"":1,"2147483648":1,"__proto__":1,"a":1}'],
])('[T26] %s is exported unchanged', (text) => {
  expect(exportJson(parseNodeJson(text))).toBe(text);
});

test.each([
  ['{"b":1,"a":2,"10":3,"9":4}', '{"9":4,"10":3,"a":2,"b":1}'],
  ['[1,null,3]', '{"0":1,"2":3}'],
  ['{"a":1,".priority":null}', '{"a":1}'],
  ['{".priority":5,"a":1}', '{"a":1,".priority":5}'],
  ['{"\u00e9":1,"e\u0301":2}', '{"e\u0301":2,"\u00e9":1}'],
])('[T28] %s is exported as %s', (text, expected) => {
  expect(exportJson(parseNodeJson(text))).toBe(expected);
});

test('[T28] parsing the export form gives the same tree', () => {
  fc.assert(
    fc.property(treeArbitrary, (tree) => {
      const text = exportJson(tree);
      expect(isEqualNode(parseNodeJson(text), tree)).toBe(true);
      expect(exportJson(parseNodeJson(text))).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test('[T26][T28] the export form is compact JSON without arrays, in key order', () => {
  fc.assert(
    fc.property(nodeArbitrary, (tree) => {
      const text = exportJson(tree);
      expect(text).toBe(canonicalJson(parseJsonText(text)));
    }),
    { numRuns: 500 },
  );
});

/** Returns compact text with keys in key order and `.priority` last. Fails the test on an array. */
function canonicalJson(value: unknown): string {
  expect(Array.isArray(value)).toBe(false);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => rank(a) - rank(b) || compareKeys(a, b));
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
}

function rank(key: string): number {
  return key === '.value' ? 0 : key === '.priority' ? 2 : 1;
}

test.each([
  ['null', 'null'],
  ['{".value":1,".priority":2}', '1'],
  ['{"a":{".value":"x",".priority":2},".priority":3}', '{"a":"x"}'],
  ['{"a":9007199254740993}', '{"a":9007199254740993}'],
  ['{"0":"x"}', '["x"]'],
  ['{"0":"x","1":"y"}', '["x","y"]'],
  ['{"1":"y"}', '[null,"y"]'],
  ['{"2":"z"}', '{"2":"z"}'],
  ['{"0":0,"3":3}', '[0,null,null,3]'],
  ['{"0":0,"4":4}', '{"0":0,"4":4}'],
  ['{"1":1,"2":2,"5":5}', '[null,1,2,null,null,5]'],
  ['{"1":1,"2":2,"6":6}', '{"1":1,"2":2,"6":6}'],
  ['{"0":0,"01":1}', '{"0":0,"01":1}'],
  ['{"00":0}', '{"00":0}'],
  ['{"-0":0}', '{"-0":0}'],
  ['{"-1":0,"0":1}', '{"-1":0,"0":1}'],
  ['{"0":0,"a":1}', '{"0":0,"a":1}'],
  ['{"0":{"0":1,"1":{"x":2}}}', '[[1,{"x":2}]]'],
  ['{"0":{".value":1,".priority":1},".priority":1}', '[1]'],
  ['{"12345678901":1}', '{"12345678901":1}'],
])('[T27] the plain form of %s is %s', (text, expected) => {
  expect(plainJson(parseNodeJson(text))).toBe(expected);
});

test('[T27] the plain form has the leaves of the tree, and arrays exactly where the keys are array-like', () => {
  fc.assert(
    fc.property(nodeArbitrary, (tree) => {
      expect(matchesPlain(tree, parseJsonText(plainJson(tree)))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

function matchesPlain(node: TreeNode, json: unknown): boolean {
  if (node.kind === 'leaf') return json === node.value;
  if (typeof json !== 'object' || json === null) return false;
  const keys = [...node.children.keys()];
  const isArray = keys.every(
    (key) => String(Math.abs(Number.parseInt(key, 10))) === key && Number(key) < 2 * keys.length,
  );
  if (Array.isArray(json) !== isArray || isArrayLike(node) !== isArray) return false;
  const present = Object.entries(json).filter(([, item]) => item !== null);
  return (
    present.length === keys.length &&
    present.every(([key, item]) =>
      [...node.children].some(([name, child]) => name === key && matchesPlain(child, item)),
    )
  );
}

test('[T27] isArrayLikeKeys decides from the keys and their number', () => {
  expect(isArrayLikeKeys(['0', '1', '5'], 3)).toBe(true);
  expect(isArrayLikeKeys(['0', '1', '6'], 3)).toBe(false);
});

test.each([
  '{".sv":"timestamp"}',
  '{"a":{".sv":{"increment":1}}}',
  '{"a":1,".priority":{".sv":"timestamp"}}',
])('[T39] %s is rejected as a stored tree', (text) => {
  expect(() => parseNodeJson(text)).toThrow(expect.objectContaining({ code: 'value/invalid' }));
});

test('[T47] arbitrary text gives a tree, a syntax error or a request error', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      try {
        parseNodeJson(text);
      } catch (error) {
        if (!(error instanceof RequestError || error instanceof SyntaxError)) throw error;
      }
    }),
  );
});
