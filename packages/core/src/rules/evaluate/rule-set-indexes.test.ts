import { expect, test } from 'vitest';
import { parseRules } from '../compile/rules.ts';
import { indexDeclarations } from './rule-set.ts';

test('[R73] every location is listed with its indexes, and a wildcard is null', () => {
  const rules = parseRules(`{"rules": {
    "rooms": { "$room": { ".indexOn": ["name", ".value"], "messages": { ".indexOn": "sent/at" } }, "lobby": {} }
  }}`);
  expect(indexDeclarations(rules)).toEqual([
    { pattern: [], indexes: [] },
    { pattern: ['rooms'], indexes: [] },
    { pattern: ['rooms', 'lobby'], indexes: [] },
    { pattern: ['rooms', null], indexes: [{ kind: 'child', path: ['name'] }, { kind: 'value' }] },
    { pattern: ['rooms', null, 'messages'], indexes: [{ kind: 'child', path: ['sent', 'at'] }] },
  ]);
});

test('[R73] rules without an index have an empty list', () => {
  expect(indexDeclarations(parseRules('{"rules": {"a": {"$b": {".read": true}}}}'))).toEqual([]);
});
