import { expect, test } from 'vitest';
import { parseRules } from '../compile/rules.ts';
import { explainRead, explainWrite } from '../explain/explanation.ts';
import { canBeGranted, isReadAllowed, isWriteAllowed } from './decide.ts';
import { readOf, writeOf } from './operations.fixture.ts';
import { NodeTree } from './views.ts';

const READS = parseRules(`{
  "rules": {
    "open": { ".read": true, "below": { ".read": false } },
    "members": { ".read": "auth != null", "faulty": { ".read": "auth.name.length > 1 || true" } },
    "shut": { ".read": false, "hatch": { ".read": "auth.name.length > 1 || true", "deep": { ".read": true } } },
    "rooms": {
      "$room": { ".read": "$room == 'r1'", "messages": { "$message": { ".read": "$message == $room" } } },
      "lobby": { "notice": { ".read": true } },
      "attic": {}
    }
  }
}`);

test.each([
  ['open'],
  ['open/below'],
  ['open/other/deep'],
  ['members'],
  ['members/faulty'],
  ['shut/hatch/deep'],
  ['rooms/r1'],
  ['rooms/r1/messages/m'],
  ['rooms/r2/messages/r2'],
  ['rooms/lobby/notice'],
])('[R15] %s may be read', (path) => expect(isReadAllowed(READS, readOf(path))).toBe(true));

test.each([
  [''],
  ['shut'],
  ['shut/hatch'],
  ['nowhere'],
  ['nowhere/at/all'],
  ['rooms'],
  ['rooms/r2'],
  ['rooms/r2/messages'],
  ['rooms/r2/messages/r1'],
])('[R16] "%s" may not be read', (path) => expect(isReadAllowed(READS, readOf(path))).toBe(false));

test.each([['rooms/lobby'], ['rooms/attic'], ['rooms/attic/messages/attic'], ['rooms/lobby/messages/lobby']])(
  '[R17] %s has its own rules, and the wildcard does not apply',
  (path) => expect(isReadAllowed(READS, readOf(path))).toBe(false),
);

test.each([['constructor'], ['__proto__'], ['0'], ['a b']])(
  '[R18] a wildcard matches %s, and the key is the value of the wildcard',
  (key) => {
    const rules = parseRules(JSON.stringify({ rules: { $any: { '.read': `$any == '${key}'` } } }));
    expect(isReadAllowed(rules, readOf(key))).toBe(true);
    expect(isReadAllowed(rules, readOf(''))).toBe(false);
    expect(isReadAllowed(rules, readOf('other'))).toBe(false);
  },
);

test('[R23] a rule that has no value does not hold, and the other rules apply unchanged', () => {
  expect(isReadAllowed(READS, readOf('members/faulty'))).toBe(true);
  expect(isReadAllowed(READS, readOf('members/faulty', { auth: null }))).toBe(false);
  expect(isReadAllowed(READS, readOf('shut/hatch/deep', { auth: null }))).toBe(true);
});

test('[R19] auth != null holds for users, even without claims, and not for callers that are not signed in', () => {
  const decisions = [{ uid: 'u1' }, {}, null].map((auth) =>
    isReadAllowed(READS, readOf('members', { auth })),
  );
  expect(decisions).toEqual([true, true, false]);
});

test('[R15][R16] .write allows writes at and below its location, and no others', () => {
  const rules = parseRules(
    '{"rules":{"a":{".write":"auth != null","b":{".write":true,"c":{".write":false}}},"d":{"e":{".write":true}}}}',
  );
  const isAllowed = (path: string) => isWriteAllowed(rules, writeOf({ [path]: '1' }, { auth: null }));
  expect(['a', 'a/b', 'a/b/c', 'a/b/x', 'd', 'd/e', 'd/e/f', 'x', ''].filter(isAllowed)).toEqual([
    'a/b',
    'a/b/c',
    'a/b/x',
    'd/e',
    'd/e/f',
  ]);
});

const UPDATES = parseRules(
  '{"rules":{"a":{".write":true},"b":{"$k":{".write":"newData.parent().parent().hasChild(\'a\')"}}}}',
);

test.each([
  [{ a: '1' }, true],
  [{ 'b/x': '1' }, false],
  [{ a: '1', 'b/x': '1' }, true],
  [{ a: '1', c: '1' }, false],
  [{ c: '1', a: '1' }, false],
  [{ a: '1', 'b/x': '1', 'b/y': 'null' }, true],
  [{ a: 'null', 'b/x': '1' }, false],
  [{ a: '1', b: '{"x":1}' }, false],
  [{}, true],
] as const)(
  '[R113] the update %j is allowed if rules grant each path, with the result of all writes as newData: %s',
  (values, expected) => {
    expect(isWriteAllowed(UPDATES, writeOf(values))).toBe(expected);
  },
);

test.each([
  ['a/b/c', 'a/b/d', 'a/e'],
  ['a/e', 'a/b/c', 'a/b/d'],
  ['a/b/d', 'a/e', 'a/b/c'],
])(
  '[R113] a path is granted at or above itself, not by the rule that granted the previous path: %s, %s, %s',
  (...paths) => {
    const rules = parseRules('{"rules":{"a":{"b":{".write":true},"e":{".write":"auth == null"}}}}');
    const write = writeOf(Object.fromEntries(paths.map((path) => [path, '1'])));
    expect(isWriteAllowed(rules, write)).toBe(false);
    expect(isWriteAllowed(rules, { ...write, auth: null })).toBe(true);
  },
);

const VALIDATED = parseRules(`{
  "rules": {
    ".write": true,
    "p": {
      ".validate": "newData.hasChildren(['x'])",
      "list": { "$k": { ".validate": "newData.isNumber()", "deep": { ".validate": false } }, "any": {} },
      "q": { ".validate": "newData.parent().child('x').val() == newData.val()" }
    },
    "ranked": { ".validate": "newData.getPriority() > 1", "$k": { ".validate": false } }
  }
}`);

test.each([
  ['null', { 'p/list/a': '1' }, false],
  ['{"p":{"x":1}}', { 'p/list/a': '1' }, true],
  ['null', { 'p/list/a': '1', 'p/x': '1' }, true],
  ['null', { 'p/x': '1', 'p/list/a': '1' }, true],
  ['{"p":{"x":1}}', { 'p/other/deep': '1' }, true],
] as const)(
  '[R114] in %s, the write %j is allowed if it is valid at its path and above: %s',
  (data, values, expected) => {
    expect(isWriteAllowed(VALIDATED, writeOf(values, { data }))).toBe(expected);
  },
);

test.each([
  ['null', { p: '{"x":1,"list":{"a":1,"b":2}}' }, true],
  ['null', { p: '{"x":1,"list":{"a":1,"b":"2"}}' }, false],
  ['null', { '': '{"p":{"x":1,"list":{"a":"1"}}}' }, false],
  ['null', { p: '{"x":1,"list":{"any":"2"}}' }, true],
  ['null', { p: '{"x":1,"list":{"a":{"deep":1}}}' }, false],
  ['null', { p: '{"x":1,"q":1}' }, true],
  ['null', { p: '{"x":1,"q":2}' }, false],
  ['{"p":{"x":1,"list":{"a":"old"}}}', { 'p/list/b': '1' }, true],
  ['{"p":{"x":1,"list":{"a":"old"}}}', { 'p/list': '{"a":"old","b":1}' }, false],
  ['{"p":{"x":1,"q":1}}', { 'p/x': '2' }, true],
] as const)(
  '[R115] in %s, the write %j is allowed if every path inside it is valid: %s',
  (data, values, expected) => {
    expect(isWriteAllowed(VALIDATED, writeOf(values, { data }))).toBe(expected);
  },
);

test.each([
  ['{"p":{"x":1,"list":{"a":1}}}', { 'p/list/a': 'null' }, true],
  ['{"p":{"x":1,"list":{"a":1}}}', { 'p/x': 'null' }, false],
  ['{"p":{"x":1}}', { 'p/x': 'null' }, true],
  ['{"p":{"x":1,"list":{"a":1}}}', { 'p/x': 'null', 'p/list': 'null' }, true],
  ['{"p":{"x":1,"list":{"a":1}}}', { p: 'null' }, true],
  ['{"p":{"list":{"a":1}}}', { 'p/list/nothing': 'null' }, false],
  ['null', { 'p/nothing': 'null' }, true],
] as const)(
  '[R116] in %s, the write %j is allowed if the remaining data is valid: %s',
  (data, values, expected) => {
    expect(isWriteAllowed(VALIDATED, writeOf(values, { data }))).toBe(expected);
  },
);

test.each([
  ['{"ranked":{"a":1}}', { 'ranked/.priority': '2' }, true],
  ['{"ranked":{"a":1}}', { 'ranked/.priority': '1' }, false],
  ['{"ranked":{"a":1,".priority":2}}', { 'ranked/.priority': 'null' }, false],
  ['null', { 'ranked/.priority': '1' }, true],
  ['{"ranked":{"a":1,".priority":2}}', { 'ranked/a/.priority': '1' }, false],
  ['{"p":{"list":{"a":1}}}', { 'p/list/.priority': '1' }, false],
] as const)(
  '[R117] in %s, the priority write %j is decided like a write at its path: %s',
  (data, values, expected) => {
    expect(isWriteAllowed(VALIDATED, writeOf(values, { data }))).toBe(expected);
  },
);

test('[R117] a write of a priority needs the same permission as a write of the value', () => {
  const rules = parseRules('{"rules":{"a":{"b":{".write":true}}}}');
  const data = '{"a":{"b":{"c":1}}}';
  expect(isWriteAllowed(rules, writeOf({ 'a/.priority': '1' }, { data }))).toBe(false);
  expect(isWriteAllowed(rules, writeOf({ 'a/b/.priority': '1' }, { data }))).toBe(true);
});

test('[R118] .validate alone allows nothing', () => {
  const rules = parseRules('{"rules":{".validate":true,"a":{".validate":true,".write":true}}}');
  expect(isWriteAllowed(rules, writeOf({ b: '1' }))).toBe(false);
  expect(isWriteAllowed(rules, writeOf({ a: '1' }))).toBe(true);
  expect(isReadAllowed(rules, readOf('a'))).toBe(false);
});

/** Counts the reads of values. */
class CountingTree extends NodeTree {
  count = 0;

  override findValue(path: Parameters<NodeTree['findValue']>[0]) {
    this.count++;
    return super.findValue(path);
  }
}

test('[R119] the rules above consecutive paths are evaluated once', () => {
  const rules = parseRules(
    `{"rules":{"r":{".write":"data.val() == null",".validate":"data.val() == null && newData.exists()"}}}`,
  );
  const tree = new CountingTree(null);
  const values = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`r/k${i}`, '1']));
  expect(isWriteAllowed(rules, { ...writeOf(values), tree })).toBe(true);
  expect(tree.count).toBe(2);
});

/** Rules that cover most cases of a decision. */
const EXAMPLES = parseRules(`{
  "rules": {
    "p1": { ".write": "auth != null", ".validate": "newData.hasChildren(['x'])", "sub": { "$k": { ".write": "auth != null" } } },
    "room": { "$id": { ".write": true, "name": { ".validate": "newData.isString()" }, "$other": { ".validate": false } },
              "lobby": { ".read": true } },
    "cnt": { ".write": true, ".validate": "newData.isNumber() && newData.val() === data.val() + 1" },
    "list": { ".read": "query.orderByChild == 'owner' && query.equalTo == auth.uid && query.limitToFirst <= 50", ".indexOn": "owner" }
  }
}`);

test.each([
  ['null', { 'p1/sub/k1': '1' }, false],
  ['{"p1":{"x":1}}', { 'p1/sub/k1': '1' }, true],
  ['null', { 'p1/x': '1', 'p1/sub/k1': '2' }, true],
  ['{"p1":{"x":1,"sub":{"k1":1}}}', { 'p1/x': 'null' }, false],
  ['{"p1":{"x":1,"sub":{"k1":1}}}', { p1: 'null' }, true],
  ['null', { 'room/r1': '{"name":"a"}' }, true],
  ['null', { 'room/r1': '{"name":"a","age":1}' }, false],
  ['null', { 'room/lobby': '{"name":"a"}' }, false],
  ['null', { room: 'null' }, false],
  ['null', { cnt: '1' }, false],
  ['{"cnt":4}', { cnt: '5' }, true],
  ['{"cnt":4}', { cnt: '6' }, false],
] as const)('[R114][R115][R116] in %s, %j is allowed: %s', (data, values, expected) => {
  expect(isWriteAllowed(EXAMPLES, writeOf(values, { data }))).toBe(expected);
});

test('[R113] callers that are not signed in do not get the permissions of users', () => {
  expect(isWriteAllowed(EXAMPLES, writeOf({ p1: '{"x":1}' }))).toBe(true);
  expect(isWriteAllowed(EXAMPLES, writeOf({ p1: '{"x":1}' }, { auth: null }))).toBe(false);
});

const OWN = { i: 'owner', sp: 'u1', ep: 'u1' };

test.each([
  ['u1', { ...OWN, l: 50, vf: 'l' }, true],
  ['u1', { ...OWN, l: 51, vf: 'l' }, false],
  ['u1', { ...OWN, l: 50, vf: 'r' }, false],
  ['u1', undefined, false],
  ['u2', { ...OWN, l: 50, vf: 'l' }, false],
  ['u1', OWN, false],
] as const)('[R120] a read by %s with the query %j is allowed: %s', (uid, query, expected) => {
  expect(isReadAllowed(EXAMPLES, readOf('list', { auth: { uid } }, query))).toBe(expected);
});

const BY_WORK = parseRules(`{"rules": {
  ".read": "root.child('s').val().replace('a', 'b') != '' || true",
  "a": { ".write": true, "$k": { ".validate": "newData.isNumber()" } },
  "s": { ".write": "newData.val().replace('a', 'b') != ''" },
  "t": {
    ".write": true,
    "$k": { ".validate": "newData.val().matches(/@[a-z@.]{1,64}\\\\.com$/) || true" }
  }
}}`);

test('[R249] a write of 200,001 paths with a cheap rule is allowed, and a write whose rules take too long is rejected', () => {
  const writeOfChildren = (path: string, count: number, json: string) =>
    writeOf({ [path]: `{${Array.from({ length: count }, (_, i) => `"k${i}":${json}`)}}` });
  const cheap = parseRules('{"rules":{"a":{".write":true,"$k":{".validate":"newData.isNumber()"}}}}');
  const costly = parseRules(
    `{"rules":{"a":{".write":true,"$k":{".validate":"${Array.from({ length: 900 }, () => '!data.exists()').join(' && ')}"}}}}`,
  );
  expect(isWriteAllowed(cheap, writeOfChildren('a', 200_001, '1'))).toBe(true);
  for (const decide of [isWriteAllowed, explainWrite]) {
    expect(() => decide(costly, writeOfChildren('a', 1000, '1'))).toThrow('evaluating them takes too long');
    expect(() => decide(BY_WORK, writeOfChildren('t', 60, JSON.stringify('@a.'.repeat(17_000))))).toThrow(
      'evaluating them takes too long',
    );
  }
});

test('[R249][R263] the rules of one operation share one work budget, when deciding and when explaining', () => {
  const long = JSON.stringify('a'.repeat(4_000_000));
  for (const decide of [isWriteAllowed, explainWrite])
    expect(() => decide(BY_WORK, writeOf({ s: long }))).toThrow('evaluating them takes too long');
  const operation = readOf('x', { data: `{"s":${long}}` });
  expect(isReadAllowed(BY_WORK, operation)).toBe(false);
  expect(explainRead(BY_WORK, operation).isAllowed).toBe(false);
  expect(JSON.stringify(explainRead(BY_WORK, operation))).toContain('exceeded their work limit here');
});

test.each([
  [{ '.write': 'auth != null' }, true],
  [{ '.write': 'auth == null' }, false],
  [{ '.write': "newData.val() === 'other'" }, true],
  [{ '.write': false, a: { '.write': '!newData.exists()' } }, true],
  [{ '.write': false, a: { b: { '.write': true } } }, false],
  [{ '.write': true, a: { '.validate': false } }, true],
])('[R236] rules %j can grant a write with another value: %s', (rules, expected) => {
  expect(canBeGranted(parseRules(JSON.stringify({ rules })), writeOf({ a: '1' }))).toBe(expected);
});

test.each([
  ['now == 5', {}, true],
  ['now == 3', {}, false],
  ['now == 3 && newData.exists()', {}, true],
  ['now == 5 && newData.exists()', {}, false],
  [true, { '.validate': 'now == 3' }, true],
  [true, { '.validate': 'now == 5' }, false],
  ['now == 5', { '.validate': 'newData.val() == 1 && now == 3' }, true],
])(
  '[R236] for rules that read a value, `now` is the time of its timestamps: %j, %j, %s',
  (write, more, expected) => {
    const rules = parseRules(JSON.stringify({ rules: { a: { '.write': write, ...more } } }));
    const operation = { ...writeOf({ a: '1' }), now: 5, resolvedMs: 3 };
    expect(isWriteAllowed(rules, operation)).toBe(expected);
    expect(explainWrite(rules, operation).isAllowed).toBe(expected);
  },
);
