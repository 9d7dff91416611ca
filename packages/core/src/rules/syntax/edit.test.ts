import { expect, test } from 'vitest';
import { parseRules } from '../compile/rules.ts';
import { extendRule } from './edit.ts';

const MINE = 'auth.uid === $uid';

test.each([
  [
    'a missing rule',
    '{"rules":{"users":{"$uid":{".write":true}}}}',
    '".read": "auth.uid === $uid", ".write":true',
  ],
  ['a rule that is false', '{"rules":{"users":{"$uid":{".read":false}}}}', '".read":"auth.uid === $uid"'],
  [
    'a rule that is the text false',
    '{"rules":{"users":{"$uid":{".read":"false"}}}}',
    '".read":"auth.uid === $uid"',
  ],
  [
    'a rule with an expression',
    `{"rules":{"users":{"$uid":{".read":"auth.token.a == 'x\\"y'"}}}}`,
    `".read":"auth.uid === $uid || (auth.token.a == 'x\\"y')"`,
  ],
  ['a missing location', '{"rules":{"users":{}}}', '"users":{ "$uid": { ".read": "auth.uid === $uid" } }'],
  ['missing locations', '{"rules":{}}', '{ "users": { "$uid": { ".read": "auth.uid === $uid" } } }'],
  [
    'a document with comments',
    '{\n  "rules": { // all\n    // people\n    "users": { // each\n      "$uid": {\n        ".write": false\n      }\n    }\n  }\n}',
    '"$uid": {\n        ".read": "auth.uid === $uid",\n        ".write": false',
  ],
  [
    'an empty location with a comment',
    '{"rules":{"users":{ // empty\n}}}',
    '{ // empty\n "$uid": { ".read": "auth.uid === $uid" } \n}',
  ],
])('[R400] %s is extended, and the rest of the document stays', (_what, source, part) => {
  const extended = extendRule(source, { kind: 'read', location: ['users', '$uid'], expression: MINE });
  expect(extended).toContain(part);
  expect(parseRules(extended).root.children.size).toBe(1);
});

test('[R400] an extended rule keeps its lines and its comment', () => {
  const source = '{"rules":{".read":"auth != null &&\n  // only the team\n  auth.token.team == true\n"}}';
  const extended = extendRule(source, { kind: 'read', location: [], expression: 'auth.uid == "a"' });
  expect(extended).toContain(
    '"auth.uid == \\"a\\" || (auth != null &&\n  // only the team\n  auth.token.team == true\n)"',
  );
  parseRules(extended);
});
