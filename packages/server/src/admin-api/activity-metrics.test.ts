import { expect, test } from 'vitest';
import { isLocalRequest } from './activity.ts';

test.each<readonly [string, Readonly<Record<string, string>>, boolean]>([
  ['127.0.0.1', {}, true],
  ['127.8.0.1', {}, true],
  ['::1', {}, true],
  ['::ffff:127.0.0.1', {}, true],
  ['192.0.2.1', {}, false],
  ['::2', {}, false],
  ['', {}, false],
  ['127.0.0.1', { 'x-forwarded-for': '192.0.2.1' }, false],
  ['127.0.0.1', { forwarded: 'for=127.0.0.1' }, false],
  ['::1', { via: '1.1 proxy' }, false],
])('[H460] a request from %s with %o counts as local: %s', (remoteAddress, headers, isLocal) => {
  const request = { socket: { remoteAddress }, headers } as unknown as Parameters<typeof isLocalRequest>[0];
  expect(isLocalRequest(request)).toBe(isLocal);
});
