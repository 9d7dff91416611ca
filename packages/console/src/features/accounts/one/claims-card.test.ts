import { expect, test } from 'vitest';
import { type ClaimsCheck, checkClaims, formatClaims } from './claims-card.tsx';

test.each<readonly [string, ClaimsCheck]>([
  ['', { kind: 'good', text: '' }],
  [' {} ', { kind: 'good', text: '' }],
  ['{ "admin" : true,\n "team": "a b" }', { kind: 'good', text: '{"admin":true,"team":"a b"}' }],
  ['{"n": 9007199254740993}', { kind: 'good', text: '{"n":9007199254740993}' }],
  ['{"q": "\\" }"}', { kind: 'good', text: '{"q":"\\" }"}' }],
  ['[1]', { kind: 'not-object' }],
  ['"x"', { kind: 'not-object' }],
  ['{"sub": "x"}', { kind: 'reserved', name: 'sub' }],
  [`{"a":"${'x'.repeat(993)}"}`, { kind: 'too-long', length: 1_001 }],
])('[C195] the check of the claims %j returns %j', (typed, expected) => {
  expect(checkClaims(typed)).toEqual(expected);
});

test('[C195] for claims that are not valid JSON, the check returns the reason', () => {
  expect(checkClaims('{"a":')).toMatchObject({ kind: 'not-json', reason: expect.any(String) });
});

test('[C195] claims are formatted with one value per line', () => {
  expect(formatClaims('{"admin":true,"teams":["a,b",1]}')).toBe(
    '{\n  "admin": true,\n  "teams": [\n    "a,b",\n    1\n  ]\n}',
  );
});
