import { expect, test } from 'vitest';
import { evaluateText, faultOf } from './evaluate.fixture.ts';

const AUTH = {
  uid: 'u1',
  token: { admin: true, level: 3, big: 12n, none: null, '1': 'one', names: ['a', 'b'], length: 7 },
};

test.each([
  ['auth.uid', 'u1'],
  ["auth['uid']", 'u1'],
  ['auth.token.admin', true],
  ['auth.token.level', 3],
  ['auth.token.big', 12],
  ['auth.token.none', null],
  ['auth.foo', null],
  ['auth.foo.bar.baz', null],
  ['auth.uid.foo', null],
  ['auth.token.level.foo', null],
  ['auth.constructor', null],
  ['auth.toString', null],
  ['auth.__proto__', null],
  ['auth.token.names.map', null],
  ["auth.token['names']['1']", 'b'],
  ['auth.token.names[1]', 'b'],
  ['auth.token.names[2]', null],
  ['auth.token[1]', 'one'],
  ['auth.token[$key]', true],
  ["auth.token['ad' + 'min']", true],
  ["auth['constructor' + '']", null],
  // A computed name refers to a property, never to the length of a string.
  ["auth.uid['len' + 'gth']", null],
  ["auth.token['len' + 'gth']", 7],
])('[R80] %s is %j', (text, expected) => {
  expect(evaluateText(text, { auth: AUTH, location: '$key', path: 'admin' })).toBe(expected);
});

test.each([['auth'], ['auth.uid'], ['auth.token.admin'], ["auth.token['a' + 'b']"]])(
  '[R80] for a caller that is not signed in, %s is null',
  (text) => {
    expect(evaluateText(text)).toBeNull();
  },
);

test.each([
  ['auth.token[auth.none]', 'auth.none', 'The subscript in [ ] is null, but must be a string or a number.'],
  ['auth.token[auth.token]', 'auth.token', 'The subscript in [ ] is an object, but must be'],
])('[R80][R103] %s is an error at %s: %s', (text, part, message) => {
  expect(faultOf(text, { auth: AUTH })).toEqual([part, expect.stringContaining(message)]);
});

test.each([
  ['query.orderByKey', true],
  ['query.orderByValue', false],
  ['query.orderByPriority', false],
  ['query.orderByChild', 'owner'],
  ['query.startAt', 'a'],
  ['query.endAt', null],
  ['query.equalTo', true],
  ['query.limitToFirst', 10],
  ["query['limitToFirst']", 10],
  ['query.limitToFirst <= 10', true],
])('[R96] %s is %j', (text, expected) => {
  const query = { orderByKey: true, orderByChild: 'owner', startAt: 'a', equalTo: true, limitToFirst: 10 };
  expect(evaluateText(text, { query })).toBe(expected);
});

test('[R96] in a read without a query, the properties of query are false or null', () => {
  const names = ['orderByKey', 'orderByChild', 'startAt', 'limitToLast'];
  expect(names.map((name) => evaluateText(`query.${name}`))).toEqual([false, null, null, null]);
  expect(faultOf('query.limitToFirst <= 2')[0]).toBe('query.limitToFirst');
});
