import { expect, test } from 'vitest';
import { parseDraft, parsePriority } from './draft.ts';
import { parseJsonText } from './json-text.ts';
import { nodeAt } from './node.ts';
import { exportJson, parseNodeJson } from './node-json.ts';
import { indexValueOf } from './order.ts';
import { resolveDraft, resolvePriority } from './server-value.ts';

const NOW = 1_700_000_000_000;

/** Returns the export form of a value after a write. `before` is the previous data at the same path. */
function writeAndExport(value: string, before: string): string {
  const existing = parseNodeJson(before);
  const resolved = resolveDraft(parseDraft(parseJsonText(value), 0), NOW, {
    findValue: (path) => indexValueOf(nodeAt(existing, path)),
    findPriority: (path) => nodeAt(existing, path)?.priority ?? null,
  });
  return exportJson(resolved);
}

test('[T34] all timestamps of a write are the time of the write', () => {
  const value = `{"a":{".sv":"timestamp"},"b":{"c":{".value":1,".priority":{".sv":"timestamp"}}},".priority":{".sv":"timestamp"}}`;
  expect(writeAndExport(value, '{"a":5}')).toBe(
    `{"a":${NOW},"b":{"c":{".value":1,".priority":${NOW}}},".priority":${NOW}}`,
  );
});

test.each([
  ['null', '2'],
  ['40', '42'],
  ['-2', '0'],
  ['0.5', '2.5'],
  ['"40"', '2'],
  ['true', '2'],
  ['{"a":40}', '2'],
  ['{".value":40,".priority":7}', '42'],
])('[T35] an increment by 2 of %s gives %s', (before, after) => {
  expect(writeAndExport('{".sv":{"increment":2}}', before)).toBe(after);
});

test('[T35] an increment adds to the number at its own path, also when a parent is written', () => {
  const value =
    '{"a":{".sv":{"increment":1}},"b":{"c":{".sv":{"increment":1}}},"n":5,"m":{".sv":{"increment":1}}}';
  expect(writeAndExport(value, '{"a":10,"b":{"c":20,"d":3},"n":30}')).toBe(
    '{"a":11,"b":{"c":21},"m":1,"n":5}',
  );
});

test('[T35] the result of an increment has only the priority that is written with the increment', () => {
  expect(writeAndExport('{".sv":{"increment":1},".priority":"new"}', '{".value":1,".priority":"old"}')).toBe(
    '{".value":2,".priority":"new"}',
  );
});

test.each([
  ['9223372036854775806', '1', '9223372036854775807'],
  ['9007199254740993', '2', '9007199254740995'],
  ['-9223372036854775807', '-1', '-9223372036854775808'],
  ['9223372036854775807', '1', '9223372036854776000'],
  ['-9223372036854775808', '-1', '-9223372036854776000'],
  ['9007199254740993', '0.5', '9007199254740992'],
  ['1', '-1.5', '-0.5'],
])('[T36] %s incremented by %s is %s', (before, by, after) => {
  expect(writeAndExport(`{".sv":{"increment":${by}}}`, before)).toBe(after);
});

test('[T37] a sum that no double can hold is rejected', () => {
  expect(() => writeAndExport('{"a":{".sv":{"increment":1e308}}}', '{"a":1e308}')).toThrow(
    expect.objectContaining({ code: 'server-value/overflow' }),
  );
  expect(() =>
    writeAndExport(
      '{".value":1,".priority":{".sv":{"increment":-1e308}}}',
      '{".value":1,".priority":-1e308}',
    ),
  ).toThrow(expect.objectContaining({ code: 'server-value/overflow' }));
});

test.each([
  ['null', 3],
  ['1', 3],
  ['{".value":1,".priority":4}', 7],
  ['{".value":1,".priority":-3}', 0],
  ['{".value":1,".priority":"4"}', 3],
  ['{"a":1,".priority":0.5}', 3.5],
])('[T38] an increment by 3 of the priority of %s gives %s', (before, after) => {
  expect(writeAndExport('{".value":true,".priority":{".sv":{"increment":3}}}', before)).toBe(
    `{".value":true,".priority":${after}}`,
  );
  const priority = parsePriority({ '.sv': { increment: 3 } });
  expect(resolvePriority(priority, NOW, () => parseNodeJson(before)?.priority ?? null)).toBe(after);
});

test('[T38] an increment adds to the priority at its own path', () => {
  const value = '{"a":{"b":1,".priority":{".sv":{"increment":1}}},".priority":{".sv":{"increment":1}}}';
  expect(writeAndExport(value, '{"a":{"x":1,".priority":10},".priority":20}')).toBe(
    '{"a":{"b":1,".priority":11},".priority":21}',
  );
});

test('[T34] a priority may be the time of the write, and a plain priority is unchanged', () => {
  expect(resolvePriority(parsePriority({ '.sv': 'timestamp' }), NOW, () => 5)).toBe(NOW);
  expect(resolvePriority(parsePriority('p'), NOW, () => 5)).toBe('p');
  expect(resolvePriority(null, NOW, () => 5)).toBe(null);
});
