import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportJson } from '../../tree/node-json.ts';
import { formatPath } from '../../tree/path.ts';
import { NO_QUERY } from '../evaluate/scope.ts';
import { formatProblems } from '../syntax/problems.ts';
import { parseCaseFile } from './case-file.ts';
import type { RuleCase } from './operation.ts';

function parse(source: string): readonly RuleCase[] {
  const parsed = parseCaseFile(source);
  if (parsed.kind === 'wrong') throw new Error(formatProblems(source, parsed.problems));
  return parsed.cases;
}

/** Parses a file with a single case, whose fields are given as text. */
function parseOne(fields: string, shared = ''): RuleCase {
  const [one, ...more] = parse(`{${shared} "cases": [{${fields}, "expect": "allow"}]}`);
  if (one === undefined || more.length > 0) throw new Error('expected exactly one case');
  return one;
}

/** Returns the problems of a file, one line each. */
function problems(source: string): readonly string[] {
  const parsed = parseCaseFile(source);
  return parsed.kind === 'wrong' ? formatProblems(source, parsed.problems).trimEnd().split('\n') : [];
}

test('[R200] a case file is JSON with comments, and each case has a caller, an operation, data and an expected result', () => {
  const [first, second] = parse(`{
    // Comments are allowed anywhere.
    "data": {"rooms": {"lobby": {"open": true}}},
    "now": 1000, /* ms */
    "cases": [
      {"name": "no anonymous callers", "read": "/rooms/lobby", "expect": "deny"},
      {"as": "alice", "write": "/rooms/lobby/topic", "value": "tea", "expect": "allow"}
    ]
  }`);
  expect(first).toMatchObject({
    name: 'no anonymous callers',
    auth: null,
    nowMs: 1000,
    operation: { kind: 'read', path: ['rooms', 'lobby'], query: NO_QUERY },
    isAllowed: false,
  });
  expect(first && exportJson(first.data)).toBe('{"rooms":{"lobby":{"open":true}}}');
  expect(second).toMatchObject({
    name: 'alice writes /rooms/lobby/topic',
    operation: { kind: 'write', write: { kind: 'node', path: ['rooms', 'lobby', 'topic'] } },
    isAllowed: true,
  });
});

test.each([
  ['"read": "/"', null],
  ['"as": null, "read": "/"', null],
  ['"as": "bob", "read": "/"', { uid: 'bob', provider: 'custom', token: { sub: 'bob', user_id: 'bob' } }],
  ['"as": "mod", "read": "/"', { uid: 'm1', token: { moderator: true } }],
  ['"as": {"uid": "x", "level": 12345678901234567}, "read": "/"', { uid: 'x', level: 12345678901234567 }],
])(
  '[R201] the caller is anonymous, a user ID, a name from "users" or the variable auth itself: %s',
  (fields, auth) => {
    const users = '"users": {"mod": {"uid": "m1", "token": {"moderator": true}}},';
    expect(parseOne(fields, users).auth).toEqual(auth);
  },
);

test.each([
  ['"read": "/rooms"', 'anonymous reads /rooms'],
  ['"as": {"uid": "u1"}, "read": "/"', 'u1 reads /'],
  ['"as": {"role": "x"}, "read": "/"', 'a user reads /'],
  ['"as": "bob", "write": "/a", "value": null', 'bob removes /a'],
  ['"as": "bob", "write": "/a/.priority", "value": 5', 'bob sets the priority of /a'],
  ['"as": "bob", "update": "/a", "value": {"b": 1}', 'bob updates /a'],
])('[R202] a case without a name is named after its caller and operation: %s', (fields, name) => {
  expect(parseOne(fields).name).toBe(name);
});

test.each([
  ['', '{"a":{"x":1},"b":2}'],
  ['"data": {"c": 3},', '{"c":3}'],
  ['"data": null,', 'null'],
  ['"with": {"/a/y": 2, "b": null},', '{"a":{"x":1,"y":2}}'],
  ['"with": {"b/.priority": "p"},', '{"a":{"x":1},"b":{".value":2,".priority":"p"}}'],
  ['"data": {"c": 3}, "with": {"/c": {".value": 4, ".priority": 1}},', '{"c":{".value":4,".priority":1}}'],
  ['"with": {"/": 9007199254740993},', '9007199254740993'],
])('[R203] "data" replaces the shared data, and "with" is an overlay on it: %s', (fields, data) => {
  expect(exportJson(parseOne(`${fields} "read": "/"`, '"data": {"a": {"x": 1}, "b": 2},').data)).toBe(data);
});

test.each([
  ['', null, null],
  ['"now": 5,', null, 5],
  ['"now": 5,', 6, 6],
  ['"now": "2026-01-31T12:00:00Z",', null, 1769860800000],
])(
  '[R204] the time is that of the case, otherwise that of the file, otherwise not set: %s %s',
  (shared, own, nowMs) => {
    expect(parseOne(own === null ? '"read": "/"' : `"read": "/", "now": ${own}`, shared).nowMs).toBe(nowMs);
  },
);

test('[R205] a query has the field names that rules use', () => {
  const query = '{"orderByChild": "owner", "equalTo": "u1", "limitToFirst": 10}';
  expect(parseOne(`"read": "/list", "query": ${query}`).operation).toMatchObject({
    query: {
      ...NO_QUERY,
      orderByChild: 'owner',
      equalTo: 'u1',
      startAt: 'u1',
      endAt: 'u1',
      limitToFirst: 10,
    },
  });
  expect(
    parseOne('"read": "/", "query": {"orderByKey": true, "startAt": null, "endAt": 5}').operation,
  ).toMatchObject({ query: { ...NO_QUERY, orderByKey: true, endAt: 5 } });
});

test('[R206] an update has a value for each path below its own path, and placeholders are not resolved by the parser', () => {
  const { operation } = parseOne(
    '"update": "/a", "value": {"b/c": null, "/d": {".sv": {"increment": 1}}, "b/e/.priority": {".sv": "timestamp"}}',
  );
  if (operation.kind !== 'update') throw new Error(operation.kind);
  expect(operation.writes.map(({ kind, path }) => `${kind} ${formatPath(path)}`)).toEqual([
    'node a/b/c',
    'node a/d',
    'priority a/b/e',
  ]);
  expect(operation.writes.map((write) => write.kind === 'node' && write.draft.kind)).toEqual([
    'resolved',
    'pending',
    false,
  ]);
});

test.each([
  ['[]', ['1:1: A case file must be an object in braces.']],
  ['{}', ['1:1: A case file must have "cases": an array of objects.']],
  ['{"cases": {}}', ['1:11: A case file must have "cases": an array of objects.']],
  ['{"cases": [}', ['1:12: Parse error. Expected a value, found "}".']],
  [
    '{"case": []}',
    ['1:1: A case file must have "cases": an array of objects.', /^1:2: .*"case"\. Did you mean 'cases'\?/],
  ],
  ['{"cases": [5]}', ['1:12: A case must be an object in braces.']],
  ['{"cases": [{"read": "/"}]}', ['1:12: A case must have "expect": "allow" or "deny".']],
  ['{"cases": [{"read": "/", "expect": true}]}', ['1:36: A case must have "expect": "allow" or "deny".']],
  [
    '{"cases": [{"expect": "deny"}]}',
    ['1:12: A case must have one of "read", "write" or "update", with a path such as "/rooms/r1".'],
  ],
])(
  '[R207] a text that is not a case file is reported with the location of the problem: %s',
  (source, lines) => {
    expect(problems(source)).toEqual(lines.map((line) => expect.stringMatching(toPattern(line))));
  },
);

test.each([
  ['"read": "/a.b"', /^1:21: .*/],
  ['"read": 5', '1:21: "read" must be a string in quotes.'],
  [
    '"read": "/", "write": "/", "value": 1',
    '1:26: "write" cannot be combined with "read".',
    '1:40: "value" is allowed only with "write" and "update".',
  ],
  ['"read": "/", "value": 1', '1:26: "value" is allowed only with "write" and "update".'],
  ['"write": "/", "value": 1, "query": {}', '1:39: "query" is allowed only with "read".'],
  ['"write": "/"', '1:13: A write needs a "value". Use null to remove the data.'],
  ['"update": "/"', '1:13: An update needs a "value": an object that maps paths to values.'],
  ['"update": "/", "value": 5', '1:37: The "value" of an update must be an object in braces.'],
  [
    '"update": "/", "value": {"a": 1, "a/b": 2}',
    '1:46: The update writes both /a and /a/b, which is below it. Write each path only once.',
  ],
  ['"update": "/", "value": {"a": 1, "a/.priority": 2}', /^1:46: The update writes both \/a and/],
  ['"update": "/.info", "value": {"a": 1}', /^1:\d+: /],
  ['"write": "/", "value": {"a": {"b$": 1}}', /^1:43: /],
  ['"write": "/", "value": {"a": {".sv": "soon"}}', /^1:42: /],
  ['"write": "/a/.priority", "value": {}', /^1:47: /],
  [
    '"read": "/", "as": 5',
    '1:32: "as" must be null for an anonymous caller, a name, or an object for the variable auth.',
  ],
  ['"read": "/", "now": "soon"', /^1:33: "now" must be a number of milliseconds/],
  ['"read": "/", "now": 1.5', /^1:33: "now" must be a number of milliseconds/],
  ['"read": "/", "data": {".sv": "timestamp"}', /^1:34: Existing data must not contain "\.sv"/],
  ['"read": "/", "with": {"/a": {".sv": "timestamp"}}', /^1:41: Existing data must not contain "\.sv"/],
  ['"read": "/", "query": {"orderBy": "x"}', /^1:36: A query has no field "orderBy"\./],
  ['"read": "/", "query": {"orderByKey": 1}', '1:50: "orderByKey" must be true or false.'],
  ['"read": "/", "query": {"startAt": {}}', '1:47: "startAt" must be a boolean, a number, a string or null.'],
  ['"read": "/", "query": {"limitToLast": 0}', '1:51: "limitToLast" must be a positive integer.'],
  ['"read": "/", "read": "/b"', '1:26: "read" occurs twice.'],
  ['"read": "/", "expected": "deny"', /^1:26: A case has no field "expected"\. Did you mean 'expect'\?/],
] as const)('[R207] a problem in a case is reported with its location: %s', (fields, ...lines) => {
  const found = problems(`{"cases": [{${fields}, "expect": "deny"}]}`);
  expect(found).toEqual(lines.map((line) => expect.stringMatching(toPattern(line))));
});

test('[R208] every problem is reported', () => {
  const source = `{
    "users": {"a": 5},
    "cases": [{"read": "/", "expect": "maybe"}, {"reed": "/", "expect": "deny"}]
  }`;
  expect(problems(source).map((line) => line.split(' ', 1)[0])).toEqual(['2:20:', '3:39:', '3:49:', '3:50:']);
});

test('[R208] a value of a wrong type never makes the reader throw', () => {
  const name = fc.constantFrom(
    'data',
    'users',
    'now',
    'as',
    'with',
    'read',
    'write',
    'update',
    'value',
    'query',
    'expect',
    'a',
    'a/b',
    '.sv',
    '.value',
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, 5, -1.5, 'a', '/a', 'allow', 'deny', 'timestamp', '/a/.priority'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 6 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(name, value, { maxKeys: 8 }), (one) => {
      const source = JSON.stringify({ data: one['data'] ?? null, cases: [one] });
      const parsed = parseCaseFile(source);
      if (parsed.kind === 'wrong')
        for (const { offset } of parsed.problems) expect(offset).toBeLessThanOrEqual(source.length);
    }),
  );
});

function toPattern(line: string | RegExp): RegExp {
  return typeof line === 'string' ? new RegExp(`^${line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`) : line;
}
