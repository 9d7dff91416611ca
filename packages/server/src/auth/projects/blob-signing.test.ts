import { must } from '@hearth/core/error/assert.ts';
import { beforeEach, expect, test } from 'vitest';
import { randomBytes } from '../../platform/random.ts';
import { memoryRecordStore, TestClock } from '../../records/memory-records.fixture.ts';
import { createTestAuth } from '../create-test-auth.fixture.ts';
import { Fields, type JsonObject } from '../fields.ts';
import type { Caller } from '../request.ts';
import type { AuthServices } from '../services.ts';
import { verifyServiceAccountToken } from '../tokens/access-tokens.ts';
import { CUSTOM_TOKEN_AUDIENCE, signedCustomTokens } from '../tokens/custom-token.ts';
import { unsignedTokenServices } from '../tokens/unsigned-tokens.ts';
import { signBlob } from './blob-signing.ts';
import { ServiceAccounts } from './service-accounts.ts';

const EMAIL = 'app@demo.hearth.internal';

let clock: TestClock;
let accounts: ServiceAccounts;
let services: AuthServices;
let keyId: string;

beforeEach(async () => {
  clock = new TestClock();
  const recordStore = memoryRecordStore(clock);
  accounts = new ServiceAccounts({ recordStore, randomBytes });
  const customTokens = signedCustomTokens(accounts.findWithSigners, () => clock.nowMs());
  ({ services } = createTestAuth({ recordStore, clock, tokens: { ...unsignedTokenServices, customTokens } }));
  await accounts.create('demo', 'app', ['identity.tokenCreator']);
  const creation = await accounts.createKey(EMAIL, 'https://id.example.com/token');
  keyId = must(creation.kind === 'created' ? creation.keyFile : undefined, 'a key').private_key_id;
});

function signAs(account: string, body: JsonObject, key = { email: EMAIL, keyId }): Promise<JsonObject> {
  const caller: Caller = {
    kind: 'admin',
    name: EMAIL,
    mayReadHashes: false,
    ownsProject: false,
    serviceAccountKey: key,
  };
  const project = must(services.projects.find('demo'), 'the project');
  const client = {
    address: '',
    userAgent: '',
    requestId: null,
    network: '',
    locale: '',
    origin: null,
    isWeb: false,
  };
  const call = { project, caller, client, fields: new Fields(body), segments: { account }, origin: '' };
  return signBlob(call, services);
}

/** Returns a custom token as the Admin SDK creates it without a private key. */
async function customToken(): Promise<string> {
  const iat = Math.floor(clock.nowMs() / 1_000);
  const claims = { aud: CUSTOM_TOKEN_AUDIENCE, iat, exp: iat + 3_600, iss: EMAIL, sub: EMAIL, uid: 'ann' };
  const encode = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url');
  const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  const { signedBlob } = await signAs(EMAIL, { payload: Buffer.from(signed).toString('base64') });
  return `${signed}.${Buffer.from(String(signedBlob), 'base64').toString('base64url')}`;
}

const verify = (token: string) =>
  services.customTokens.verify(token, { projectId: 'demo', tenantId: undefined });

test('[I689] the server signs custom tokens for a service account, until the key of the account is removed', async () => {
  const tokens = await Promise.all([customToken(), customToken()]);
  for (const token of [...tokens, await customToken()])
    expect(await verify(token)).toMatchObject({ uid: 'ann' });
  await accounts.removeKey(EMAIL, keyId);
  for (const token of tokens) await expect(verify(token)).rejects.toThrow('INVALID_CUSTOM_TOKEN');
  await expect(customToken()).rejects.toThrow('UNAUTHENTICATED');
});

test('[I689] a token that the server signs does not count as an assertion, so it cannot be exchanged for an access token', async () => {
  expect(await verifyServiceAccountToken(await customToken(), accounts.find)).toBe(undefined);
});

test.each([
  ['for another service account', 'admin@demo.hearth.internal', { payload: 'YQ==' }, 'PERMISSION_DENIED'],
  ['without a payload', EMAIL, {}, 'INVALID_ARGUMENT'],
  ['a payload that is not base64', EMAIL, { payload: '*' }, 'INVALID_ARGUMENT'],
])('[I689] signing %s is rejected', async (_name, account, body, error) => {
  await expect(signAs(account, body)).rejects.toThrow(error);
});
