import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { expect, test } from 'vitest';
import { trustInProcess } from './trust.ts';

const [ROOT = ''] = rootCertificates;

test('[I712] text without a certificate is rejected', () => {
  expect(() => trustInProcess('')).toThrow('"ca" has no certificate in PEM.');
  expect(() => trustInProcess(readFileSync(import.meta.filename))).toThrow('no certificate');
});

test('[I712] text with one certificate or several is accepted, also when it is given a second time', () => {
  for (const ca of [ROOT, Buffer.from(ROOT), rootCertificates.slice(0, 2).join('\n'), ROOT])
    expect(() => trustInProcess(ca)).not.toThrow();
});
