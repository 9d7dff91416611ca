import fc from 'fast-check';
import { expect, test } from 'vitest';
import { auditRecord, redact } from './entry.ts';
import { auditEvent } from './test-bed.fixture.ts';

test.each([
  ['password', 'password'],
  ['12 accounts, 3 rejected', '12 accounts, 3 rejected'],
  ['email, customAttributes', 'email, customAttributes'],
  ['INVALID_LOGIN_CREDENTIALS', 'INVALID_LOGIN_CREDENTIALS'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', undefined],
  ['Mozilla/5.0 (Windows NT 10.0; Win64) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36', undefined],
  ['eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.', '[redacted]'],
  ['code=AbCdEfGhIjKlMnOpQrStUv012345', '[redacted]'],
  ['the code 123456 was wrong', 'the code [redacted] was wrong'],
  ['12345678', '[redacted]'],
  ['to +4915112345678', 'to [redacted]'],
])('[I501] %s is recorded as %s', (text, kept = text) => {
  expect(redact(text, 256)).toBe(kept);
});

test('[I501] no token, key or code is recorded, wherever it is in a text', () => {
  const token = fc
    .uint8Array({ minLength: 18, maxLength: 48 })
    .map((bytes) => Buffer.from(bytes).toString('base64url'))
    .filter((text) => /\d/.test(text) && /[A-Za-z]/.test(text));
  const code = fc.integer({ min: 0, max: 999_999 }).map((n) => String(n).padStart(6, '0'));
  const around = fc.constantFrom('', ' ', ', ', 'code ', '"', '(', ': ');
  fc.assert(
    fc.property(fc.oneof(token, code), around, around, fc.nat(300), (secret, left, right, length) => {
      for (const member of Object.values(
        auditRecord(auditEvent({ detail: `${left}${secret}${right}`, userAgent: secret }), 0),
      ))
        expect(String(member)).not.toContain(secret);
      expect(redact(`${left}${secret}${right}`, length)).not.toContain(secret);
    }),
  );
});

test('[I501] every text becomes well-formed text of a bounded length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => {
      const record = auditRecord(
        auditEvent({ uid: text, actor: text, address: text, userAgent: text, result: text, detail: text }),
        0,
      );
      for (const member of Object.values(record)) {
        expect(String(member).isWellFormed()).toBe(true);
        expect(String(member).length).toBeLessThanOrEqual(256);
      }
    }),
  );
});
