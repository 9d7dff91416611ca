import { parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { ADMIN, GUEST, type Identity } from '../identity/identity.ts';
import { canRead, canWrite, indexOnAt } from './decide.ts';
import { LOCKED_RULES, OPEN_RULES } from './default-rules.ts';
import { parseRules } from './parse-rules.ts';

const USER: Identity = { kind: 'user', auth: { uid: 'jack' }, expiresAtMs: null };

const RULES = parseRules(`{
  "rules": {
    "open": { ".read": true, "below": { ".read": false } },
    "members": { ".read": "auth != null", ".write": "auth != null" },
    "shut": { ".read": false, ".write": false, "hatch": { ".write": true } },
    "rooms": {
      ".indexOn": "size",
      "$room": {
        ".write": true,
        ".indexOn": ["name", ".value"],
        "messages": { "$message": { ".read": true } }
      },
      "lobby": { "notice": { ".read": true, ".indexOn": "at" } }
    }
  }
}`);

test.each([
  ['open'],
  ['open/below'],
  ['open/other/deep'],
  ['rooms/a/messages/m'],
  ['rooms/a/messages/m/text'],
])('[R15] everybody may read %s', (path) => expect(canRead(RULES, parsePath(path), GUEST)).toBe(true));

test.each([[''], ['shut'], ['shut/hatch'], ['nowhere'], ['nowhere/at/all'], ['rooms/a/messages'], ['rooms']])(
  '[R16] nobody may read "%s"',
  (path) => {
    expect(canRead(RULES, parsePath(path), GUEST)).toBe(false);
    expect(canRead(RULES, parsePath(path), USER)).toBe(false);
  },
);

test.each([
  ['shut', false],
  ['shut/hatch', true],
  ['shut/hatch/deep', true],
  ['rooms', false],
  ['rooms/a', true],
  ['open', false],
])('[R15][R16] writing %s: %s', (path, expected) => {
  expect(canWrite(RULES, parsePath(path), GUEST)).toBe(expected);
});

test('[R17] a child with rules of its own is not subject to the wildcard', () => {
  expect(canWrite(RULES, parsePath('rooms/lobby'), GUEST)).toBe(false);
  expect(canWrite(RULES, parsePath('rooms/lobby/notice'), GUEST)).toBe(false);
  expect(canRead(RULES, parsePath('rooms/lobby/messages/m'), GUEST)).toBe(false);
  expect(canRead(RULES, parsePath('rooms/lobby/notice'), GUEST)).toBe(true);
});

test.each([['constructor'], ['__proto__'], ['0'], ['a b']])('[R18] a wildcard matches %s', (key) => {
  const rules = parseRules('{"rules":{"$any":{".read":true}}}');
  expect(canRead(rules, parsePath(key), GUEST)).toBe(true);
  expect(canRead(rules, parsePath(''), GUEST)).toBe(false);
});

test('[R19] only users are signed in', () => {
  const path = parsePath('members/x');
  expect(canRead(RULES, path, USER)).toBe(true);
  expect(canWrite(RULES, path, USER)).toBe(true);
  expect(canRead(RULES, path, GUEST)).toBe(false);
  expect(canWrite(RULES, path, GUEST)).toBe(false);
});

test('[R20] administrators may do everything', () => {
  for (const path of ['', 'shut', 'nowhere/at/all']) {
    expect(canRead(RULES, parsePath(path), ADMIN)).toBe(true);
    expect(canWrite(RULES, parsePath(path), ADMIN)).toBe(true);
  }
});

test.each([
  [OPEN_RULES, true],
  [LOCKED_RULES, false],
])('[R21] default rules %# decide for everybody and everything', (source, expected) => {
  const rules = parseRules(source);
  for (const identity of [GUEST, USER])
    for (const path of ['', 'a', 'a/b/c']) {
      expect(canRead(rules, parsePath(path), identity)).toBe(expected);
      expect(canWrite(rules, parsePath(path), identity)).toBe(expected);
    }
});

test.each([
  ['', []],
  ['rooms', ['size']],
  ['rooms/a', ['name', '.value']],
  ['rooms/a/messages', []],
  ['rooms/a/messages/m', []],
  ['rooms/lobby', []],
  ['rooms/lobby/notice', ['at']],
  ['nowhere/at/all', []],
])('[R22] the indexes of "%s" are %j', (path, indexes) => {
  expect(indexOnAt(RULES, parsePath(path))).toEqual(indexes);
});
