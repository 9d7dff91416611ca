import { expect, test } from 'vitest';
import { isLocalHost, unknownHostMessage } from './host-guard.ts';

test.each([
  ['localhost'],
  ['LOCALHOST:9000'],
  ['localhost.'],
  ['127.0.0.1:1'],
  ['[::1]'],
  ['[::1]:9000'],
  ['10.0.2.2:9000'],
  ['a.b.localhost:9000'],
  ['mine.example'],
])('[H41] %s is served', (host) => expect(isLocalHost(host, ['mine.example'])).toBe(true));

test.each([
  [undefined],
  [''],
  ['evil.example'],
  ['localhost.evil.example'],
  ['notlocalhost'],
  ['sub.mine.example'],
  ['127.0.0.1.evil.example'],
  ['127.0.0.2'],
  ['[::2]'],
  ['localhost:90:00'],
  ['localhost@evil.example'],
  ['evil.example/.localhost'],
  ['evil.example .localhost'],
])('[H41] %s is not served', (host) => {
  expect(isLocalHost(host, ['mine.example'])).toBe(false);
  expect(unknownHostMessage(host)).toMatch(/^This server/);
});
