import { expect, test } from 'vitest';
import { findRoutePath, RouteTable } from './route-table.ts';

test.each([
  ['/a', '/a'],
  ['/a?b', '/a'],
  ['/a#b?c', '/a'],
  ['/%61/b%2Fc', '/a/b%2Fc'],
  ['/%2561', '/%2561'],
  ['https://host/a?b', '/a'],
  ['http://host', ''],
  ['*', '*'],
  ['/a%zz', undefined],
  ['/%ff', undefined],
  ['/a?%zz', '/a'],
])('[H9] the path of %s is %s', (url, path) => {
  expect(findRoutePath(url)).toBe(path);
});

const TABLE = new RouteTable(
  [
    { method: 'GET', path: '/a/settings' },
    { method: 'GET', path: '/a/{id}' },
    { method: 'PUT', path: '/a/{id}' },
  ],
  { mayBeEmpty: true, maxLength: 3 },
);

test.each([
  ['GET', '/a/settings', { kind: 'found', segments: {} }],
  ['GET', '/a/b%2F', { kind: 'found', segments: { id: 'b/' } }],
  ['GET', '/a/', { kind: 'found', segments: { id: '' } }],
  ['PUT', '/a/', { kind: 'found', segments: { id: '' } }],
  ['DELETE', '/a/b', { kind: 'other-method', methods: ['GET', 'PUT'] }],
  ['GET', '/a/four', { kind: 'too-long' }],
  ['GET', '/b', { kind: 'unknown' }],
  ['GET', '/a/b/c', { kind: 'unknown' }],
])('[H9] %s %s has the match %j', (method, path, match) => {
  expect(TABLE.match(method, path)).toMatchObject(match);
});
