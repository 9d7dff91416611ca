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
])('[H362] the client of a request from %s for "%s" is %s', (address, forwarded, client) => {
  expect(PROXIED.clientAddressOf(requestFrom(address, { 'x-forwarded-for': forwarded }))).toBe(client);
});

test('[H362] without a declared proxy, forwarded addresses are ignored', () => {
  const request = requestFrom('10.0.0.1', { 'x-forwarded-for': '203.0.113.9', host: 'evil.example' });
  const direct = directTransport(URL, true);
  expect(direct.clientAddressOf(request)).toBe('10.0.0.1');
  expect(direct.originOf(request)).toBe(URL);
  expect(LOCAL_TRANSPORT.originOf(request)).toBe('http://evil.example');
});

test('[H364] only a server with a public https address requires TLS of browsers', () => {
  expect(directTransport(URL, true).isSecure).toBe(true);
  expect(directTransport('http://127.0.0.1:9000', false).isSecure).toBe(false);
  expect(PROXIED.isSecure).toBe(true);
});

test('[H431] only behind a proxy is there a forwarded client address', () => {
  const request = requestFrom('10.0.0.1', { 'x-forwarded-for': '203.0.113.9' });
  expect(PROXIED.forwardedAddressOf(request)).toBe('203.0.113.9');
  for (const transport of [LOCAL_TRANSPORT, directTransport(URL, true)])
    expect(transport.forwardedAddressOf(request)).toBeNull();
});

test('[H419] only a server with its own certificate or in development mode cannot be behind a proxy', () => {
  expect(LOCAL_TRANSPORT.mayBeProxied).toBe(false);
  expect(directTransport(URL, true).mayBeProxied).toBe(false);
  expect(directTransport(URL, false).mayBeProxied).toBe(true);
  expect(proxiedTransport(URL, ['10.0.0.1'], []).mayBeProxied).toBe(true);
});

test.each([
  ['directly', directTransport(URL, true), '203.0.113.9', '203.0.113.9'],
  ['directly', directTransport(URL, true), '::ffff:203.0.113.9', '203.0.113.9'],
  ['directly', directTransport(URL, true), '2001:db8:1:2:3::4', '2001:db8:1:2::/64'],
  ['from this machine', directTransport(URL, false), '::ffff:127.0.0.1', MANY_CLIENTS],
  ['from this machine', LOCAL_TRANSPORT, '::1', MANY_CLIENTS],
  ['through a trusted proxy', PROXIED, '10.0.0.1', MANY_CLIENTS],
  ['and has ended', directTransport(URL, true), '', ''],
  ['past the proxy', PROXIED, '203.0.113.9', '203.0.113.9'],
])('[H540] the network of a peer that connects %s', (_name, transport, address, network) => {
  expect(transport.networkOfPeer(requestFrom(address).socket)).toBe(network);
});
