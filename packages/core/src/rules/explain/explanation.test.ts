import { expect, test } from 'vitest';
import { parseRules } from '../compile/rules.ts';
import { readOf, writeOf } from '../evaluate/operations.fixture.ts';
import { explainRead, explainWrite } from './explanation.ts';
import type { Explanation, RuleTrace } from './trace.ts';

const RULES = parseRules(`{
  "rules": {
    ".read": "auth == null",
    "rooms": {
      ".write": "auth.admin == true",
      ".validate": "newData.hasChildren()",
      "$room": {
        ".read": "$room == 'r1'",
        ".write": "$room == 'r1'",
        "name": { ".read": true, ".validate": "newData.isString()" }
      }
    },
    "bare": {}
  }
}`);

/** Formats an evaluated rule, for example `read /rooms/$room at /rooms/r1: true`. */
function line({ kind, location, place, holds }: RuleTrace): string {
  return `${kind} ${location} at ${place}: ${holds}`;
}

function summary({ isAllowed, deniedPath, rules, deciding }: Explanation) {
  return { isAllowed, deniedPath, evaluated: rules.map(line), deciding: deciding && line(deciding) };
}

test.each([
  [
    'rooms/r1/name',
    {
      isAllowed: true,
      deniedPath: null,
      evaluated: ['read / at /: false', 'read /rooms/$room at /rooms/r1: true'],
      deciding: 'read /rooms/$room at /rooms/r1: true',
    },
  ],
  [
    'rooms/r2',
    {
      isAllowed: false,
      deniedPath: '/rooms/r2',
      evaluated: ['read / at /: false', 'read /rooms/$room at /rooms/r2: false'],
      deciding: 'read /rooms/$room at /rooms/r2: false',
    },
  ],
  [
    'bare/x',
    {
      isAllowed: false,
      deniedPath: '/bare/x',
      evaluated: ['read / at /: false'],
      deciding: 'read / at /: false',
    },
  ],
])('[R125] the explanation of a read of %s has the evaluated rules in order', (path, expected) => {
  expect(summary(explainRead(RULES, readOf(path)))).toEqual(expected);
});

test.each([
  [
    { 'rooms/r1/name': '"a"' },
    {
      isAllowed: true,
      deniedPath: null,
      evaluated: [
        'write /rooms at /rooms: false',
        'write /rooms/$room at /rooms/r1: true',
        'validate /rooms at /rooms: true',
        'validate /rooms/$room/name at /rooms/r1/name: true',
      ],
      deciding: 'write /rooms/$room at /rooms/r1: true',
    },
  ],
  [
    { 'rooms/r1': '{"name":1,"other":2}' },
    {
      isAllowed: false,
      deniedPath: '/rooms/r1/name',
      evaluated: [
        'write /rooms at /rooms: false',
        'write /rooms/$room at /rooms/r1: true',
        'validate /rooms at /rooms: true',
        'validate /rooms/$room/name at /rooms/r1/name: false',
      ],
      deciding: 'validate /rooms/$room/name at /rooms/r1/name: false',
    },
  ],
  [
    { 'rooms/r1/name': '"a"', 'rooms/r2/name': '1', 'rooms/r3/name': '1' },
    {
      isAllowed: false,
      deniedPath: '/rooms/r2/name',
      evaluated: [
        'write /rooms at /rooms: false',
        'write /rooms/$room at /rooms/r1: true',
        'write /rooms/$room at /rooms/r2: false',
      ],
      deciding: 'write /rooms/$room at /rooms/r2: false',
    },
  ],
  [{ bare: '1' }, { isAllowed: false, deniedPath: '/bare', evaluated: [], deciding: null }],
])('[R125][R126] the explanation of a write of %j has the evaluated rules in order', (values, expected) => {
  expect(summary(explainWrite(RULES, writeOf(values)))).toEqual(expected);
});

test('[R126] the deciding rule is the deepest rule that was evaluated for the denied path, not for another path', () => {
  const rules = parseRules(
    '{"rules":{".write":false,"a":{".write":false,"b":{".write":false,"c":{".write":true}}}}}',
  );
  const explanation = summary(explainWrite(rules, writeOf({ 'a/b/c': '1', 'a/x': '1' })));
  expect(explanation).toMatchObject({ deniedPath: '/a/x', deciding: 'write /a at /a: false' });
});

test('[R119] consecutive paths share the rules that were evaluated for the first path', () => {
  const write = writeOf({ 'rooms/r1/name': '"a"', 'rooms/r1/size': '1' });
  expect(summary(explainWrite(RULES, write)).evaluated).toEqual([
    'write /rooms at /rooms: false',
    'write /rooms/$room at /rooms/r1: true',
    'validate /rooms at /rooms: true',
    'validate /rooms/$room/name at /rooms/r1/name: true',
  ]);
});

test('[R127] of more than a thousand rules the first thousand and the deciding rule are traced', () => {
  const rules = parseRules(
    '{"rules":{"l":{".write":true,"$k":{".validate":"newData.isNumber()"}},"m":{"$k":{".write":true}}}}',
  );
  const entries = Array.from({ length: 2000 }, (_, i) => [`${i}`, i === 1500 ? '"x"' : '1'] as const);
  const invalid = explainWrite(rules, writeOf({ l: `{${entries.map(([k, json]) => `"${k}":${json}`)}}` }));
  expect(invalid.rules).toHaveLength(1001);
  expect(invalid).toMatchObject({ isAllowed: false, deniedPath: '/l/1500' });
  expect(invalid.rules.at(-1)).toBe(invalid.deciding);
  expect(invalid.deciding).toMatchObject({ kind: 'validate', place: '/l/1500', holds: false });

  const granted = explainWrite(
    rules,
    writeOf(Object.fromEntries(entries.map(([k, json]) => [`m/${k}`, json]))),
  );
  expect(granted.rules).toHaveLength(1001);
  expect(granted.deciding).toMatchObject({ kind: 'write', place: '/m/1999', holds: true });
});

test('[R127] rules that are evaluated after 100,000 steps of traces are not traced', () => {
  const long = Array.from({ length: 400 }, () => 'now > 1').join(' && ');
  const rules = parseRules(`{"rules":{"l":{".write":true,"$k":{".validate":"${long}"}}}}`);
  const entries = Array.from({ length: 100 }, (_, i) => `"${i}":1`);
  const { isAllowed, rules: traced } = explainWrite(rules, writeOf({ l: `{${entries}}` }));
  expect(isAllowed).toBe(true);
  expect(traced.length).toBeGreaterThan(75);
  expect(traced.length).toBeLessThan(95);
});
