import { expect, test } from 'vitest';
import {
  CERTIFICATE,
  CERTIFICATE_END,
  LONG_CERTIFICATE,
  LONG_CERTIFICATE_END,
} from './certificates.fixture.ts';
import { certificateEnd, certificatesIn } from './certificates.ts';

test.each([
  [CERTIFICATE, CERTIFICATE_END],
  [LONG_CERTIFICATE, LONG_CERTIFICATE_END],
])('[C743] the end of a certificate is read', (pem, end) => {
  expect(certificateEnd(pem)?.toISOString()).toBe(end);
});

test('[C743] a certificate that is cut off or has a changed byte does not cause an exception', () => {
  const base64 = CERTIFICATE.replaceAll(/-----[A-Z ]+-----|\s/g, '');
  for (let length = 0; length < base64.length; length += 1) certificateEnd(base64.slice(0, length));
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  for (const at of bytes.keys())
    for (const value of [0, 0x7f, 0x80, 0x84, 0xff])
      certificateEnd(btoa(String.fromCharCode(...bytes.with(at, value))));
  expect(certificateEnd('')).toBeUndefined();
  expect(certificateEnd('-----BEGIN CERTIFICATE-----\n***\n-----END CERTIFICATE-----')).toBeUndefined();
});

test('[C743] the certificates of a text are separated', () => {
  expect(certificatesIn(`Subject: a\n${CERTIFICATE}\n\n${LONG_CERTIFICATE}\n`)).toEqual([
    CERTIFICATE,
    LONG_CERTIFICATE,
  ]);
  expect(certificatesIn('none')).toEqual([]);
});
