import { X509Certificate } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { selfSignedCertificate } from './certificate.ts';
import { takeRsaKeyPair } from './rsa-key-pairs.fixture.ts';
import type { RsaKeyPair } from './signing-keys.ts';

let pair: RsaKeyPair;

beforeAll(async () => {
  pair = takeRsaKeyPair();
});

function certify(change: object = {}): Promise<string> {
  return selfSignedCertificate({
    name: 'hearth idToken',
    serialNumber: Uint8Array.of(0x80, 1, 2),
    ...pair,
    notBeforeMs: Date.UTC(2026, 0, 2, 3, 4, 5),
    notAfterMs: Date.UTC(2036, 0, 2, 3, 4, 5),
    ...change,
  });
}

test('[I106] a certificate can be read by Node, and is signed by its own key', async () => {
  const pem = await certify();
  const certificate = new X509Certificate(pem);
  expect(certificate.publicKey.equals(pair.publicKey)).toBe(true);
  expect(certificate.verify(pair.publicKey)).toBe(true);
  expect(certificate.checkPrivateKey(pair.privateKey)).toBe(true);
  expect(certificate).toMatchObject({
    subject: 'CN=hearth idToken',
    issuer: 'CN=hearth idToken',
    serialNumber: '800102',
    validFrom: 'Jan  2 03:04:05 2026 GMT',
    validTo: 'Jan  2 03:04:05 2036 GMT',
    ca: false,
  });
  expect(certificate.toString()).toBe(pem);
});

test.each([
  [[0, 0, 0], '0'],
  [[0, 0, 1], '01'],
  [[0x7f, 0xff], '7FFF'],
  [[0xff, 0xff], 'FFFF'],
])('[I106] the serial number %j is never negative', async (bytes, text) => {
  const certificate = new X509Certificate(await certify({ serialNumber: Uint8Array.from(bytes) }));
  expect(certificate.serialNumber).toBe(text);
});

test('[I106] a certificate may end after 2049', async () => {
  const certificate = new X509Certificate(await certify({ notAfterMs: Date.UTC(2050, 0, 1) }));
  expect(certificate.validTo).toBe('Jan  1 00:00:00 2050 GMT');
});
