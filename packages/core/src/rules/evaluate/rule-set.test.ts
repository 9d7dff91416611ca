import { expect, test } from 'vitest';
import { parsePath } from '../../tree/path.ts';
import { parseRules } from '../compile/rules.ts';
import { findRuleNode, indexOnAt } from './rule-set.ts';

const RULES = parseRules(`{
  "rules": {
    "rooms": {
      ".indexOn": "size",
      "$room": { ".indexOn": ["name", ".value"], "messages": { "$message": { ".read": true } } },
      "lobby": { "notice": { ".read": true, ".indexOn": "at" } }
    }
  }
}`);

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

test.each([
  ['rooms/a/messages/m', true],
  ['rooms/lobby/notice', true],
  ['rooms/lobby/messages/m', false],
  ['rooms/a/messages', false],
])('[R17] the location of %s has a .read rule: %s', (path, expected) => {
  expect(findRuleNode(RULES, parsePath(path))?.read?.evaluate !== undefined).toBe(expected);
});
