import { createHmac } from 'node:crypto';
import { ADMIN_ROLES } from '@hearth/core/api/service-account.ts';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import {
  publicPem,
  signJwt,
  type TestServiceAccount,
  testServiceAccount,
} from '../projects/service-account.fixture.ts';
import type { ServiceAccount } from '../projects/service-account.ts';
import { customTokenVerifierContract } from './custom-token.contract.ts';
import { CUSTOM_TOKEN_AUDIENCE, type CustomTokenVerifier, signedCustomTokens } from './custom-token.ts';
import { type Claims, encodeJwt } from './jwt.ts';
import { unsignedTokens } from './unsigned-tokens.ts';

const NOW_SEC = 1_700_000_000;
const HERE = { projectId: 'demo', tenantId: undefined };

let own: TestServiceAccount;
let foreign: TestServiceAccount;
let accounts: ServiceAccount[];
let nowSec: number;
let verifier: CustomTokenVerifier;

beforeAll(async () => {
  [own, foreign] = await Promise.all([testServiceAccount('demo'), testServiceAccount('other')]);
});

beforeEach(() => {
  nowSec = NOW_SEC;
  accounts = [own.account, foreign.account];
  verifier = signedCustomTokens(
    (email) => accounts.find((account) => account.email === email),
    () => nowSec * 1_000,
  );
});

function claimsOf({ account }: TestServiceAccount, change: Claims = {}): Claims {
  return {
    iss: account.email,
    sub: account.email,
    aud: CUSTOM_TOKEN_AUDIENCE,
    iat: NOW_SEC,
    exp: NOW_SEC + 3_600,
    uid: 'jack',
    ...change,
  };
}

function custom(change: Claims = {}, header: Claims = {}): string {
  return signJwt(claimsOf(own, change), own.pair, header);
}

customTokenVerifierContract('signed', () => ({ verifier, issue: custom }));

test.each([
  [
    { iat: NOW_SEC + 300, exp: NOW_SEC + 301 },
    { uid: 'jack', claims: {} },
  ],
  [
    { iat: NOW_SEC - 3_600, exp: NOW_SEC - 299 },
    { uid: 'jack', claims: {} },
  ],
])('[I111] a service account of the project signs in users: %j', async (change, expected) => {
  expect(await verifier.verify(custom(change), HERE)).toEqual(expected);
});

test('[I111] a token may name its key, otherwise each key of the account is tried', async () => {
  accounts = [
    { ...own.account, keys: [...foreign.account.keys, { keyId: 'key2', publicKey: publicPem(own.pair) }] },
  ];
  await verifier.verify(custom(), HERE);
  await verifier.verify(custom({}, { kid: 'key2' }), HERE);
  await expect(verifier.verify(custom({}, { kid: 'key1' }), HERE)).rejects.toMatchObject({
    code: 'INVALID_CUSTOM_TOKEN',
  });
});

test.each([
  [{ uid: 7 }, 'MISSING_IDENTIFIER'],
  [
    { claims: { a: 'x'.repeat(993) } },
    'INVALID_CLAIMS : The claims are longer than 1000 characters as JSON.',
  ],
  [{ aud: 'demo' }, 'INVALID_CUSTOM_TOKEN : The audience is not that of custom tokens.'],
  [{ aud: [CUSTOM_TOKEN_AUDIENCE] }, 'INVALID_CUSTOM_TOKEN : The audience is not that of custom tokens.'],
  [{ sub: 'jack' }, 'INVALID_CUSTOM_TOKEN : The subject is not the issuer.'],
  [
    { exp: undefined },
    'INVALID_CUSTOM_TOKEN : The token must contain the times when it was issued ("iat") and when it expires ("exp").',
  ],
  [
    { iat: '1' },
    'INVALID_CUSTOM_TOKEN : The token must contain the times when it was issued ("iat") and when it expires ("exp").',
  ],
  [{ exp: NOW_SEC + 3_601 }, 'INVALID_CUSTOM_TOKEN : The token is valid for more than 3600 seconds.'],
  [{ iat: NOW_SEC - 1_000, exp: NOW_SEC - 300 }, 'INVALID_CUSTOM_TOKEN : The token has expired.'],
  [{ iat: NOW_SEC + 301, exp: NOW_SEC + 400 }, 'INVALID_CUSTOM_TOKEN : The token is issued in the future.'],
])('[I112] a custom token with %j is rejected: %s', async (change, message) => {
  await expect(verifier.verify(custom(change), HERE)).rejects.toThrow(message);
});

const UNSIGNED =
  'INVALID_CUSTOM_TOKEN : The token is not signed by a key of a service account of this project.';

/** Custom tokens without a signature by a key of the account that they name. */
const FORGED: Readonly<Record<string, () => string | Promise<string>>> = {
  'malformed text': () => 'a.b',
  'bare JSON': () => JSON.stringify({ uid: 'jack' }),
  'alg none': () => unsignedTokens.sign(claimsOf(own)),
  'alg none with the ID of a key': () => `${encodeJwt({ alg: 'none', kid: 'key1' }, claimsOf(own))}.`,
  'HS256 with the public key as secret': () => {
    const signed = encodeJwt({ alg: 'HS256' }, claimsOf(own));
    const secret = publicPem(own.pair);
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  },
  'the key of another account': () => signJwt(claimsOf(own), foreign.pair),
  'an unknown account': () => signJwt({ ...claimsOf(own), iss: 'a@b.c', sub: 'a@b.c' }, own.pair),
  'no issuer': () => signJwt({ ...claimsOf(own), iss: undefined }, own.pair),
};

test.each(Object.entries(FORGED))(
  '[I112] a custom token without a valid signature is rejected: %s',
  async (_, forge) => {
    await expect(verifier.verify(await forge(), HERE)).rejects.toThrow(UNSIGNED);
  },
);

test('[I112] a token signed by a service account of another project is rejected with CREDENTIAL_MISMATCH', async () => {
  await expect(verifier.verify(signJwt(claimsOf(foreign), foreign.pair), HERE)).rejects.toThrow(
    'CREDENTIAL_MISMATCH',
  );
});

test('[I113] a custom token for a tenant is valid only for that tenant', async () => {
  await expect(verifier.verify(custom({ tenant_id: 'acme' }), HERE)).rejects.toThrow('TENANT_ID_MISMATCH');
});

test.each<readonly [ServiceAccount['roles'], boolean]>([
  [['identity.tokenCreator'], true],
  [['identity.admin'], true],
  [ADMIN_ROLES.filter((role) => role !== 'identity.tokenCreator'), true],
  [[], false],
  [['identity.viewer', 'identity.hashReader', 'identity.configAdmin', 'database.admin'], false],
])('[I574] a service account with the roles %j may sign in users: %s', async (roles, may) => {
  accounts = [{ ...own.account, roles }];
  const verified = verifier.verify(custom(), HERE);
  if (may) await verified;
  else
    await expect(verified).rejects.toThrow(
      'INVALID_CUSTOM_TOKEN : The service account needs the role identity.tokenCreator or identity.admin.',
    );
});
