import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prettyJson } from './pretty-json.ts';

test.each([
  ['null', 'null\n'],
  ['{}', '{}\n'],
  ['[[],{}]', '[\n  [],\n  {}\n]\n'],
  ['{"a":1,"b":[true,"x"]}', '{\n  "a" : 1,\n  "b" : [\n    true,\n    "x"\n  ]\n}\n'],
])('[H26] %s is indented', (json, pretty) => expect(prettyJson(json)).toBe(pretty));

test('[H26] indenting changes nothing but white space', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value);
      expect(JSON.stringify(JSON.parse(prettyJson(json)))).toBe(json);
    }),
  );
});

test('[H26] a long string is indented too', () => {
  const json = JSON.stringify({ a: '\\"x'.repeat(1_000_000) });
  expect(JSON.parse(prettyJson(json))).toEqual(JSON.parse(json));
});
