import { expect, test } from 'vitest';
import { readServeOptions } from '../platform/serve-options.ts';
import { requireSafe } from './serve-mode.ts';

type Flags = Parameters<typeof readServeOptions>[0];

const TLS = { tlsCert: 'cert.pem', tlsKey: 'key.pem' };
const PUBLIC = { publicUrl: 'https://hearth.example.com' };

function start(flags: Flags): void {
  requireSafe(readServeOptions(flags, {}));
}

test.each<Flags>([
  {},
  { host: '::1', port: '9001' },
  { host: 'localhost', ...TLS },
  { publicUrl: 'http://localhost:9000/' },
  { ...PUBLIC, port: '0' },
  { ...PUBLIC, ...TLS, host: '0.0.0.0' },
  { ...PUBLIC, host: '::', trustProxy: ['10.0.0.0/8'] },
  { ...PUBLIC, trustProxy: ['127.0.0.1', '::1'] },
])('[H360] the options %j are accepted', (flags) => {
  expect(() => start(flags)).not.toThrow();
});

test.each<[Flags, RegExp]>([
  [{ ...PUBLIC, host: '0.0.0.0' }, /Give --tls-cert and --tls-key, or --trust-proxy/],
  [{ ...PUBLIC, host: '192.0.2.1' }, /beyond this machine/],
  [{ ...TLS, host: '0.0.0.0' }, /Set --public-url to/],
  [{ trustProxy: ['127.0.0.1'] }, /Set --public-url to/],
  [{ port: '0' }, /Set --public-url to/],
  [{ ...TLS, host: '0.0.0.0', publicUrl: 'http://hearth.example.com' }, /must begin with https:/],
  [{ publicUrl: 'http://hearth.example.com' }, /must begin with https:/],
  [{ ...PUBLIC, tlsCert: 'cert.pem' }, /must be given together/],
  [{ ...PUBLIC, tlsKey: 'key.pem' }, /must be given together/],
  [{ ...PUBLIC, ...TLS, trustProxy: ['10.0.0.1'] }, /Omit --tls-cert/],
  [{ host: 'example.com' }, /must be an IP address/],
  [{ publicUrl: 'hearth.example.com' }, /must be an address such as/],
  [{ publicUrl: 'https://hearth.example.com/path' }, /must be an address such as/],
  [{ publicUrl: 'https://user@hearth.example.com' }, /must be an address such as/],
  [{ publicUrl: 'ftp://hearth.example.com' }, /must be an address such as/],
  [{ ...PUBLIC, trustProxy: ['proxy.example'] }, /must be an IP address or a network/],
  [{ ...PUBLIC, trustProxy: ['10.0.0.0/33'] }, /must be an IP address or a network/],
  [{ ...PUBLIC, trustProxy: ['::1/129'] }, /must be an IP address or a network/],
  [{ ...PUBLIC, trustProxy: ['0.0.0.0/0'] }, /which makes every client a trusted proxy/],
  [{ ...PUBLIC, trustProxy: ['10.0.0.1', '::/0'] }, /which makes every client a trusted proxy/],
  [{ ...PUBLIC, trustProxy: ['10.0.0.0/00'] }, /which makes every client a trusted proxy/],
  [{ ...PUBLIC, tlsCert: '' }, /must name a file/],
])('[H360] the options %j are rejected', (flags, sentence) => {
  expect(() => start(flags)).toThrow(sentence);
});
