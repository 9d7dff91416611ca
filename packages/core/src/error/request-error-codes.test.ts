/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REQUEST_ERRORS } from './request-error.ts';

const REFERENCE = new URL('../../../../docs/reference/request-errors.md', import.meta.url);
const specs = Object.entries(REQUEST_ERRORS);

test('[T46] the reference lists the request errors in the order of the table', () => {
  const listed = readFileSync(REFERENCE, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(listed).toEqual(
    specs.map(([code, { http, wire, text }]) => `| \`${code}\` | ${http} | \`${wire}\` | \`${text}\` |`),
  );
});

test.each(specs)('[T46] %s has an HTTP error status, a status word and a sentence', (_code, spec) => {
  expect(spec.http).toBeGreaterThanOrEqual(400);
  expect(spec.http).toBeLessThan(600);
  expect(spec.wire).toMatch(/^[a-z_]+$/);
  expect(spec.text.trim()).not.toBe('');
});

// Client libraries map these status words to their own error codes.
test.each([
  ['access/denied', 'permission_denied', 'Permission denied'],
  ['auth/expired', 'expired_token', 'Auth token is expired.'],
  ['auth/unreadable', 'invalid_token', 'Could not parse auth token.'],
  ['write/stale', 'datastale', 'Transaction hash does not match'],
] as const)('[T46] on the WebSocket, %s has the status "%s" and the sentence "%s"', (code, wire, text) => {
  expect(REQUEST_ERRORS[code]).toMatchObject({ wire, text });
});
