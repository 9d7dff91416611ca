import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RequestError } from '../error/request-error.ts';
import { MAX_STRING_BYTES, MAX_WRITE_NODES, parseDraft, parsePriority } from './draft.ts';
import { parseJsonText } from './json-text.ts';
import { exportJson } from './node-json.ts';
import { resolveDraft } from './server-value.ts';

/** Returns the export form of the data after a value, given as JSON text, is written to an empty path. */
function writeAndExport(text: string, depth = 0): string {
  const nothing = { findValue: () => null, findPriority: () => null };
  return exportJson(resolveDraft(parseDraft(parseJsonText(text), depth), 1700000000000, nothing));
}

function errorWithCode(code: string): unknown {
  return expect.objectContaining({ name: 'RequestError', code });
}

test.each([
  ['null'],
  ['{}'],
  ['[]'],
  ['[null,null]'],
  ['[[],{}]'],
  ['{"a":null}'],
  ['{"a":{"b":{},"c":[]}}'],
  ['{".priority":1}'],
  ['{".priority":{".sv":"timestamp"}}'],
  ['{"a":null,".priority":"p"}'],
  ['{".value":null}'],
  ['{".value":null,".priority":1}'],
  ['{".value":null,".priority":{".sv":"timestamp"}}'],
])('[T20] %s stores nothing', (text) => {
  expect(writeAndExport(text)).toBe('null');
});

test('[T20] the empty parts of a value are not stored, and the other parts are', () => {
  expect(writeAndExport('{"a":{"b":null,"c":1,"d":{".priority":2}},"e":[]}')).toBe('{"a":{"c":1}}');
});

test('[T20] a draft without placeholders is resolved, even if an empty part contained one', () => {
  expect(parseDraft({ a: 1, b: { '.value': null, '.priority': { '.sv': 'timestamp' } } }, 0).kind).toBe(
    'resolved',
  );
  expect(parseDraft({ a: 1, b: { '.sv': 'timestamp' } }, 0).kind).toBe('pending');
  expect(parseDraft({ a: 1, '.priority': { '.sv': 'timestamp' } }, 0).kind).toBe('pending');
});

test.each([
  ['["x","y"]', '{"0":"x","1":"y"}'],
  ['["x",null,"z"]', '{"0":"x","2":"z"}'],
  ['[null,"y",null]', '{"1":"y"}'],
  ['[[1,2],[null,3]]', '{"0":{"0":1,"1":2},"1":{"1":3}}'],
  ['[1,2,3,4,5,6,7,8,9,10,11]', '{"0":1,"1":2,"2":3,"3":4,"4":5,"5":6,"6":7,"7":8,"8":9,"9":10,"10":11}'],
  ['[{".value":1,".priority":2}]', '{"0":{".value":1,".priority":2}}'],
])('[T21] %s is stored as %s', (text, expected) => {
  expect(writeAndExport(text)).toBe(expected);
});

describe('.value', () => {
  test.each([
    ['{".value":1}', '1'],
    ['{".value":"s"}', '"s"'],
    ['{".value":""}', '""'],
    ['{".value":false}', 'false'],
    ['{".value":9223372036854775807}', '9223372036854775807'],
    ['{".value":1,".priority":null}', '1'],
    ['{".value":1,".priority":2}', '{".value":1,".priority":2}'],
    ['{".priority":"p",".value":true}', '{".value":true,".priority":"p"}'],
  ])('[T22] %s is stored as %s', (text, expected) => {
    expect(writeAndExport(text)).toBe(expected);
  });

  test.each([
    '{".value":1,"a":2}',
    '{"a":2,".value":1}',
    '{"0":2,".value":1}',
    '{".value":1,".sv":"timestamp"}',
    '{".value":1,".foo":1}',
    '{".value":{}}',
    '{".value":{"a":1}}',
    '{".value":{".value":1}}',
    '{".value":[]}',
    '{".value":[1]}',
    '{"x":{"y":{".value":1,"a":2}}}',
  ])('[T22] %s is rejected', (text) => {
    expect(() => writeAndExport(text)).toThrow(errorWithCode('value/invalid'));
  });
});

describe('.priority', () => {
  test.each([
    ['1', '1'],
    ['-1.5', '-1.5'],
    ['1e300', '1e+300'],
    ['-0', '0'],
    ['"1"', '"1"'],
    ['""', '""'],
    ['"high"', '"high"'],
    ['9007199254740993', '9007199254740992'],
  ])('[T23] the priority %s is stored as %s', (text, expected) => {
    expect(writeAndExport(`{"a":1,".priority":${text}}`)).toBe(`{"a":1,".priority":${expected}}`);
    expect(JSON.stringify(parsePriority(parseJsonText(text)))).toBe(expected);
  });

  test('[T17][T23] the sign of zero is dropped', () => {
    expect(parsePriority(-0)).toBe(0);
  });

  test('[T23] null means no priority', () => {
    expect(writeAndExport('{"a":1,".priority":null}')).toBe('{"a":1}');
    expect(parsePriority(null)).toBe(null);
  });

  test.each(['true', 'false', '{}', '[]', '["a"]', '{"a":1}', '{".value":1}'])(
    '[T23] the priority %s is rejected',
    (text) => {
      expect(() => parsePriority(parseJsonText(text))).toThrow(errorWithCode('priority/invalid'));
      expect(() => writeAndExport(`{"a":1,".priority":${text}}`)).toThrow(errorWithCode('priority/invalid'));
      expect(() => writeAndExport(`{".value":1,".priority":${text}}`)).toThrow(
        errorWithCode('priority/invalid'),
      );
      expect(() => writeAndExport(`{".priority":${text}}`)).toThrow(errorWithCode('priority/invalid'));
    },
  );
});

test.each(['.', '..', '.foo', '.Value', '.values', '.SV', '.priority ', '.info', '.key'])(
  '[T24] the key %j is rejected',
  (key) => {
    expect(() => parseDraft({ [key]: 1 }, 0)).toThrow(errorWithCode('value/invalid'));
    expect(() => parseDraft({ a: { b: 1, [key]: null } }, 0)).toThrow(errorWithCode('value/invalid'));
  },
);

test.each(['', 'a.b', 'a/b', 'a#', '$a', '[', 'a]', 'a\u0000', '\u007f', '\n'])(
  '[T1][T2] a value with the key %j is rejected',
  (key) => {
    expect(() => parseDraft({ [key]: 1 }, 0)).toThrow(errorWithCode('key/invalid'));
    expect(() => parseDraft([{ [key]: 1 }], 0)).toThrow(errorWithCode('key/invalid'));
    // A removal is a write too.
    expect(() => parseDraft({ [key]: null }, 0)).toThrow(errorWithCode('key/invalid'));
  },
);

test('[T1] a key of 768 bytes inside a value is accepted, and one of 769 is rejected', () => {
  expect(writeAndExport(`{"${'é'.repeat(384)}":1}`)).toBe(`{"${'é'.repeat(384)}":1}`);
  expect(() => writeAndExport(`{"${'é'.repeat(384)}a":1}`)).toThrow(errorWithCode('key/too-long'));
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('[T4] the key %s is stored', (key) => {
  expect(writeAndExport(`{"${key}":{"${key}":1},"n":1234567890123456789}`)).toContain(
    `"${key}":{"${key}":1}`,
  );
  expect(writeAndExport(`{"a":{"${key}":{".value":1,".priority":2}}}`)).toBe(
    `{"a":{"${key}":{".value":1,".priority":2}}}`,
  );
  expect(Object.getPrototypeOf({})).toBe(Object.prototype);
});

describe('depth', () => {
  const nested = (levels: number, inside: string): string =>
    '{"k":'.repeat(levels) + inside + '}'.repeat(levels);
  const arrays = (levels: number): string => '['.repeat(levels) + 1 + ']'.repeat(levels);

  test.each([
    [0, 32],
    [1, 31],
    [31, 1],
    [32, 0],
  ])('[T6] written at depth %i, %i further levels are accepted', (depth, levels) => {
    expect(writeAndExport(nested(levels, '1'), depth)).toBe(nested(levels, '1'));
    expect(writeAndExport(nested(levels, '{".value":1,".priority":2}'), depth)).toContain('".priority":2');
    expect(writeAndExport(nested(levels, '{".sv":"timestamp"}'), depth)).toContain('1700000000000');
    expect(() => writeAndExport(arrays(levels), depth)).not.toThrow();
  });

  test.each([
    [0, 33],
    [1, 32],
    [31, 2],
    [32, 1],
  ])('[T6] written at depth %i, %i further levels are rejected', (depth, levels) => {
    for (const text of [nested(levels, '1'), nested(levels, '{".sv":"timestamp"}'), arrays(levels)])
      expect(() => writeAndExport(text, depth)).toThrow(errorWithCode('path/too-deep'));
  });

  test('[T6] nesting of 500,000 levels is rejected', () => {
    expect(() => writeAndExport('['.repeat(500_000) + ']'.repeat(500_000))).toThrow(
      errorWithCode('path/too-deep'),
    );
  });
});

describe('strings', () => {
  test.each([
    ['ASCII', 'a'.repeat(MAX_STRING_BYTES)],
    ['three-byte characters', `${'€'.repeat(3_495_253)}a`],
    ['four-byte characters', '\u{1f600}'.repeat(2_621_440)],
  ])('[T25] 10,485,760 bytes of %s are accepted, and one character more is rejected', (_name, text) => {
    for (const wrap of [(value: string) => value, (value: string) => ({ a: 1, '.priority': value })]) {
      expect(parseDraft(wrap(text), 0).kind).toBe('resolved');
      expect(() => parseDraft(wrap(`${text}a`), 0)).toThrow(errorWithCode('value/string-too-long'));
    }
  });

  test.each(['\u0000', '\ud800', '\udc00\ud800', '\u2028', '.value', 'a/b#c$[d]'])(
    '[T25] the string %j is accepted',
    (text) => {
      expect(writeAndExport(JSON.stringify(text))).toBe(JSON.stringify(text));
    },
  );
});

test.each([
  ['5.0', '5'],
  ['-0', '0'],
  ['-0.0', '0'],
  ['0.1e1', '1'],
  ['100e-2', '1'],
])('[T17] %s is stored as %s', (text, expected) => {
  expect(writeAndExport(text)).toBe(expected);
  expect(writeAndExport(`{"a":[${text}]}`)).toBe(`{"a":{"0":${expected}}}`);
});

test.each(['1e999', '-1e999', '{"a":1e999}', '[1e400]', '{".value":1e999}', '9'.repeat(400)])(
  '[T19] %.20s is rejected',
  (text) => {
    expect(() => writeAndExport(text)).toThrow(errorWithCode('value/invalid'));
  },
);

test('[T19] a priority or an increment that is too large for a double is rejected', () => {
  expect(() => writeAndExport('{"a":1,".priority":1e999}')).toThrow(errorWithCode('value/invalid'));
  expect(() => writeAndExport('{".sv":{"increment":1e999}}')).toThrow(errorWithCode('value/invalid'));
  expect(() => writeAndExport('{".sv":{"increment":-1e999}}')).toThrow(errorWithCode('value/invalid'));
});

describe('placeholders', () => {
  test.each([
    ['{".sv":"timestamp"}', '1700000000000'],
    ['{".sv":"timestamp",".priority":1}', '{".value":1700000000000,".priority":1}'],
    ['{".value":{".sv":"timestamp"},".priority":1}', '{".value":1700000000000,".priority":1}'],
    ['{".value":{".sv":"timestamp"}}', '1700000000000'],
    ['{".value":{".sv":{"increment":2}},".priority":"p"}', '{".value":2,".priority":"p"}'],
    ['{".value":1,".priority":{".sv":"timestamp"}}', '{".value":1,".priority":1700000000000}'],
    ['{"a":1,".priority":{".sv":"timestamp"}}', '{"a":1,".priority":1700000000000}'],
    ['[{".sv":{"increment":-0.5}}]', '{"0":-0.5}'],
    ['{".sv":{"increment":9223372036854775807}}', '9223372036854775807'],
  ])('[T39] %s is stored as %s', (text, expected) => {
    expect(writeAndExport(text)).toBe(expected);
  });

  test.each([
    '{".sv":"now"}',
    '{".sv":"Timestamp"}',
    '{".sv":null}',
    '{".sv":1}',
    '{".sv":true}',
    '{".sv":[]}',
    '{".sv":["timestamp"]}',
    '{".sv":{}}',
    '{".sv":{"increment":"1"}}',
    '{".sv":{"increment":null}}',
    '{".sv":{"increment":{".sv":"timestamp"}}}',
    '{".sv":{"increment":1,"decrement":1}}',
    '{".sv":{"multiply":2}}',
    '{".sv":{"timestamp":1}}',
    '{".sv":{".sv":"timestamp"}}',
    '{"a":{"b":{".sv":"x"}}}',
    '{".value":{".sv":"x"}}',
    '{"a":1,".priority":{".sv":"x"}}',
  ])('[T39] %s is rejected', (text) => {
    expect(() => writeAndExport(text)).toThrow(errorWithCode('server-value/unknown'));
  });

  test.each([
    '{".sv":"timestamp","a":1}',
    '{"a":1,".sv":"timestamp"}',
    '{".sv":"timestamp",".value":1}',
    '{".sv":"timestamp",".foo":1}',
    '{".value":{".sv":"timestamp",".priority":1}}',
    '{".value":{".sv":"timestamp","a":1}}',
    '{"a":1,".priority":{".sv":"timestamp","a":1}}',
    '{"a":1,".priority":{".sv":"timestamp",".priority":1}}',
  ])('[T39] %s is rejected because of the other key', (text) => {
    expect(() => writeAndExport(text)).toThrow(errorWithCode('value/invalid'));
  });
});

test.each([undefined, () => 1, Symbol('s'), Number.NaN])(
  '[T47] %s, which is not JSON, is rejected or stores nothing',
  (value) => {
    try {
      expect(parseDraft(value, 0)).toEqual({ kind: 'resolved', node: null });
    } catch (error) {
      expect(error).toEqual(errorWithCode('value/invalid'));
    }
  },
);

test('[T47] arbitrary JSON gives a draft or a request error', () => {
  const name = fc.oneof(
    fc.constantFrom('.value', '.priority', '.sv', 'increment', 'a', '1', '__proto__', '.x', ''),
    fc.string(),
  );
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof({ maxDepth: 4 }, tie('leaf'), fc.array(tie('json'), { maxLength: 3 }), tie('object')),
    object: fc.dictionary(name, tie('json'), { maxKeys: 4 }),
    leaf: fc.oneof(
      fc.constantFrom<unknown>(null, 'timestamp', true, 0, Number.POSITIVE_INFINITY, 2n ** 63n - 1n, {
        '.sv': { increment: 1 },
      }),
      fc.string(),
      fc.double(),
    ),
  }));
  fc.assert(
    fc.property(fc.oneof(json, fc.jsonValue()), fc.nat(32), (value, depth) => {
      try {
        const draft = parseDraft(value, depth);
        resolveDraft(draft, 0, { findValue: () => null, findPriority: () => null });
        parsePriority(value);
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
      }
    }),
    { numRuns: 1000 },
  );
});

test('[T48] a value of a million nodes is accepted, and one more node is rejected', () => {
  const items = new Array(MAX_WRITE_NODES - 1).fill(0);
  expect(parseDraft(items, 0).node?.kind).toBe('inner');
  items.push(0);
  expect(() => parseDraft(items, 0)).toThrow('Split the write.');
});
