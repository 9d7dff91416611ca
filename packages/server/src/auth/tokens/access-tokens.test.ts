import fc from 'fast-check';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { secretKey } from '../../platform/secret-key.ts';
import { type TestServiceAccount, testServiceAccount } from '../projects/service-account.fixture.ts';
import type { ServiceAccount } from '../projects/service-account.ts';
import { ACCESS_TOKEN_EXPIRES_IN_SEC, AccessTokens, isAccessToken } from './access-tokens.ts';

const NOW_MS = 1_700_000_000_000;
const UNAUTHENTICATED = expect.objectContaining({ code: 'UNAUTHENTICATED' });

let own: TestServiceAccount;
let account: ServiceAccount | undefined;
let nowMs: number;
let tokens: AccessTokens;

beforeAll(async () => {
  own = await testServiceAccount('demo');
});

beforeEach(() => {
  account = own.account;
  nowMs = NOW_MS;
  tokens = tokensWithKey(1);
});

function tokensWithKey(fill: number): AccessTokens {
  return new AccessTokens(
    secretKey(new Uint8Array(32).fill(fill)),
    (email) => (email === account?.email ? account : undefined),
    () => nowMs,
  );
}

function issue(): string {
  return tokens.issue({ account: own.account, keyId: 'key1' });
}

test('[I118] an access token grants the roles of its account in its project for an hour, also after a restart', () => {
  const token = issue();
  expect(isAccessToken(token)).toBe(true);
  expect(tokensWithKey(1).verify(token)).toEqual({
    projectId: 'demo',
    serviceAccount: 'admin@demo.hearth.internal',
    keyId: 'key1',
    roles: ['identity.admin'],
    expiresAtMs: NOW_MS + 3_600_000,
  });
  nowMs += 3_600_000 - 1;
  tokens.verify(token);
  nowMs += 1;
  expect(() => tokens.verify(token)).toThrow(UNAUTHENTICATED);
  expect(ACCESS_TOKEN_EXPIRES_IN_SEC).toBe(3_599);
});

test('[I118] a forged access token is rejected', () => {
  const token = issue();
  expect(() => tokensWithKey(2).verify(token)).toThrow(UNAUTHENTICATED);
  for (let at = 0; at < token.length - 1; at++) {
    const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
    expect(() => tokens.verify(changed)).toThrow(UNAUTHENTICATED);
  }
  for (const text of ['', 'owner', 'hearth-access-1.', 'hearth-access-1..', `${token}${'A'.repeat(1_024)}`])
    expect(() => tokens.verify(text)).toThrow(UNAUTHENTICATED);
});

test('[I118] arbitrary text is rejected', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(() => tokens.verify(text)).toThrow(UNAUTHENTICATED);
      expect(() => tokens.verify(`hearth-access-1.${text}`)).toThrow(UNAUTHENTICATED);
    }),
  );
});

test('[I119] an access token becomes invalid with its key or account, and has the current roles of the account', () => {
  const token = issue();
  account = { ...own.account, roles: ['identity.viewer'] };
  expect(tokens.verify(token).roles).toEqual(['identity.viewer']);
  account = { ...own.account, keys: [] };
  expect(() => tokens.verify(token)).toThrow(UNAUTHENTICATED);
  account = undefined;
  expect(() => tokens.verify(token)).toThrow(UNAUTHENTICATED);
});
