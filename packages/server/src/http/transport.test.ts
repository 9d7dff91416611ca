import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { MANY_CLIENTS } from '../platform/resource-pool.ts';
import { directTransport, LOCAL_TRANSPORT, proxiedTransport } from './transport.ts';

const URL = 'https://hearth.example.com';

function requestFrom(address: string, headers: Readonly<Record<string, string>> = {}): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  const request = new IncomingMessage(socket);
  Object.assign(request.headers, headers);
  return request;
}

const PROXIED = proxiedTransport(URL, ['10.0.0.0/8', '2001:db8::1'], ['192.0.2.7', '0.0.0.0']);

test.each([
  ['10.1.2.3', undefined],
  ['::ffff:10.1.2.3', undefined],
  ['2001:db8::1', undefined],
  ['127.0.0.1', undefined],
  ['::1', undefined],
  ['192.0.2.7', undefined],
  ['192.0.2.8', `Connect through ${URL}.`],
  ['2001:db8::2', `Connect through ${URL}.`],
  ['', `Connect through ${URL}.`],
])('[H362] a connection from %s gets the error %s', (address, sentence) => {
  expect(PROXIED.findError(requestFrom(address))).toBe(sentence);
});

test.each([
  ['10.0.0.1', 'https', undefined],
  ['10.0.0.1', 'HTTPS', undefined],
  ['10.0.0.1', 'http, https', undefined],
  ['10.0.0.1', 'http', `Use TLS: connect to ${URL}.`],
  ['10.0.0.1', 'https, http', `Use TLS: connect to ${URL}.`],
  ['127.0.0.1', 'http', undefined],
])('[H362] a request that the proxy %s reports as %s gets the error %s', (address, scheme, sentence) => {
  expect(PROXIED.findError(requestFrom(address, { 'x-forwarded-proto': scheme }))).toBe(sentence);
});

test.each([
  ['10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['10.0.0.1', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['10.0.0.1', '203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['10.0.0.1', 'unknown', '10.0.0.1'],
  ['10.0.0.1', '', '10.0.0.1'],
  ['10.0.0.1', '203.0.113.9:5678', '203.0.113.9'],
  ['10.0.0.1', '198.51.100.1, 203.0.113.9:5678', '203.0.113.9'],
  ['10.0.0.1', '198.51.100.1, 203.0.113.9:5678, 10.0.0.2:443', '203.0.113.9'],
  ['10.0.0.1', '[2001:db8::9]:443', '2001:db8::9'],
  ['10.0.0.1', '[2001:DB8::9]', '2001:db8::9'],
  ['10.0.0.1', '2001:db8::9', '2001:db8::9'],
  ['10.0.0.1', '203.0.113.9, [2001:db8::1]:443', '203.0.113.9'],
  ['10.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
  ['10.0.0.1', '203.0.113.9, ::ffff:10.0.0.2', '203.0.113.9'],
  ['10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
  ['10.0.0.1', '198.51.100.1, _hidden, 10.0.0.2', '10.0.0.2'],
  ['10.0.0.1', '198.51.100.1, ', '10.0.0.1'],
  ['10.0.0.1', '198.51.100.1, 1.2.3.4:x', '10.0.0.1'],
  ['10.0.0.1', '198.51.100.1, [1.2.3.4', '10.0.0.1'],
  ['10.0.0.1', '198.51.100.1, 1.2.3.400:5', '10.0.0.1'],
  ['10.0.0.1', '198.51.100.1, fe80::1%eth0', 'fe80::1%eth0'],
  ['127.0.0.1', '203.0.113.9', '127.0.0.1'],
  ['::ffff:192.0.2.7', '203.0.113.9', '192.0.2.7'],
])(
  '[H362] the client of a request from %s with "X-Forwarded-For: %s" is %s',
  (address, forwarded, client) => {
    expect(PROXIED.clientAddressOf(requestFrom(address, { 'x-forwarded-for': forwarded }))).toBe(client);
  },
);

test('[H362] without a declared proxy, forwarded addresses are ignored', () => {
  const request = requestFrom('10.0.0.1', { 'x-forwarded-for': '203.0.113.9', host: 'evil.example' });
  const direct = directTransport(URL);
  expect(direct.clientAddressOf(request)).toBe('10.0.0.1');
  expect(direct.originOf(request)).toBe(URL);
  expect(LOCAL_TRANSPORT.originOf(request)).toBe('http://evil.example');
});

test('[H364] only a server with a public https address requires TLS of browsers', () => {
  expect(directTransport(URL).isSecure).toBe(true);
  expect(directTransport('http://127.0.0.1:9000').isSecure).toBe(false);
  expect(PROXIED.isSecure).toBe(true);
});

test('[H431] a request has a forwarded client address only behind a proxy', () => {
  const request = requestFrom('10.0.0.1', { 'x-forwarded-for': '203.0.113.9' });
  expect(PROXIED.forwardedAddressOf(request)).toBe('203.0.113.9');
  for (const transport of [LOCAL_TRANSPORT, directTransport(URL)])
    expect(transport.forwardedAddressOf(request)).toBeNull();
});

test('[H419] a server may be behind a proxy, unless it is in development mode', () => {
  expect(LOCAL_TRANSPORT.mayBeProxied).toBe(false);
  expect(directTransport(URL).mayBeProxied).toBe(true);
  expect(proxiedTransport(URL, ['10.0.0.1'], []).mayBeProxied).toBe(true);
});

test.each([
  ['a direct client', '203.0.113.9', '203.0.113.9', directTransport(URL)],
  ['a direct client', '::ffff:203.0.113.9', '203.0.113.9', directTransport(URL)],
  ['a direct client', '2001:db8:1:2:3::4', '2001:db8:1:2::/64', directTransport(URL)],
  ['a client on this machine', '::ffff:127.0.0.1', MANY_CLIENTS, directTransport(URL)],
  ['a client on this machine', '::1', MANY_CLIENTS, LOCAL_TRANSPORT],
  ['a trusted proxy', '10.0.0.1', MANY_CLIENTS, PROXIED],
  ['a client that has disconnected', '', '', directTransport(URL)],
  ['a client that bypasses the proxy', '203.0.113.9', '203.0.113.9', PROXIED],
])('[H540] %s with the address "%s" has the network "%s"', (_peer, address, network, transport) => {
  expect(transport.networkOfPeer(requestFrom(address).socket)).toBe(network);
});
