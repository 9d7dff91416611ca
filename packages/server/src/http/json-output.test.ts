import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PrettyJson, prettyJson, prettyJsonParts } from './json-output.ts';

function pretty(json: string): string {
  return prettyJson(Buffer.from(json)).toString();
}

test.each([
  ['null', 'null\n'],
  ['{}', '{}\n'],
  ['[[],{}]', '[\n  [],\n  {}\n]\n'],
  ['{"a":1,"b":[true,"x"]}', '{\n  "a" : 1,\n  "b" : [\n    true,\n    "x"\n  ]\n}\n'],
])('[H26] %s is indented', (json, expected) => expect(pretty(json)).toBe(expected));

test('[H26] indentation changes only white space', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value);
      expect(JSON.stringify(JSON.parse(pretty(json)))).toBe(json);
    }),
  );
});

test('[H26] an object with a long string is indented', () => {
  const json = JSON.stringify({ a: '\\"x'.repeat(1_000_000) });
  expect(JSON.parse(pretty(json))).toEqual(JSON.parse(json));
});

test('[H60] a text in pieces is indented like the whole text, wherever it is cut', () => {
  const texts = fc.jsonValue().map((value) => Buffer.from(JSON.stringify({ 'ä"\\': value, b: [value] })));
  fc.assert(
    fc.property(texts, fc.array(fc.nat({ max: 7 }), { minLength: 1 }), (json, lengths) => {
      const indenting = new PrettyJson();
      const pieces: Buffer[] = [];
      for (let at = 0, index = 0; at < json.length; index += 1) {
        const end = at + (lengths[index % lengths.length] ?? 0) + 1;
        pieces.push(indenting.push(json.subarray(at, end)));
        at = end;
      }
      expect(`${Buffer.concat(pieces).toString()}\n`).toBe(pretty(json.toString()));
    }),
  );
});

test('[H60] parts are indented one by one, and end with a newline', async () => {
  async function* parts(): AsyncGenerator<Buffer> {
    yield Buffer.from('{"a":[1,');
    yield Buffer.from('2]}');
  }
  const seen: string[] = [];
  for await (const part of prettyJsonParts(parts())) seen.push(part.toString());
  expect(seen).toHaveLength(3);
  expect(seen.join('')).toBe(pretty('{"a":[1,2]}'));
});
