import { X509Certificate } from 'node:crypto';
import { inspect } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { StartFailure } from '../../platform/failures.ts';
import { randomBytes } from '../../platform/random.ts';
import { type SecretBox, secretBox } from '../../platform/secret-box.ts';
import { secretKey } from '../../platform/secret-key.ts';
import { memoryRecordStore, TestClock } from '../../records/memory-records.fixture.ts';
import type { RecordStore } from '../../records/store.ts';
import { projectScope } from '../tenants/scope.ts';
import { idTokenClaims, type TokenUse } from './id-token.ts';
import { certificatesByKeyId, jwks } from './key-ring.ts';
import { takeRsaKeyPairLater } from './rsa-key-pairs.fixture.ts';
import { SignedTokens } from './signed-tokens.ts';
import { SigningKeys } from './signing-keys.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let clock: TestClock;
let recordStore: RecordStore;
let startMs: number;

beforeEach(() => {
  clock = new TestClock();
  startMs = clock.ms;
  recordStore = memoryRecordStore(clock);
});

function boxWith(fill: number): SecretBox {
  return secretBox(secretKey(new Uint8Array(32).fill(fill)), randomBytes);
}

function open(fill = 1): Promise<SigningKeys> {
  return SigningKeys.open({
    recordStore,
    box: boxWith(fill),
    nowMs: clock.nowMs,
    randomBytes,
    generateKeyPair: takeRsaKeyPairLater,
  });
}

function publishedIds(keys: SigningKeys, use: TokenUse): readonly string[] {
  return keys
    .ring(use)
    .published()
    .map(({ keyId }) => keyId);
}

/** Returns an ID token that is issued now. */
function issue(tokens: SignedTokens): Promise<string> {
  const nowSec = clock.ms / 1_000;
  const subject = {
    projectId: 'demo',
    tenantId: undefined,
    uid: 'jack',
    email: undefined,
    isEmailVerified: false,
    phoneNumber: undefined,
    displayName: undefined,
    photoUrl: undefined,
    identities: {},
    signInProvider: 'anonymous',
    secondFactor: undefined,
    signInAttributes: undefined,
    customClaims: {},
    sessionClaims: {},
    authTimeSec: nowSec,
  };
  return tokens.sign(idTokenClaims(subject, nowSec));
}

test('[I102] the first start creates a key for each use, and later starts reuse it', async () => {
  const keys = await open();
  const idTokenKey = keys.ring('idToken').current();
  const cookieKey = keys.ring('sessionCookie').current();
  expect(idTokenKey.keyId).toMatch(/^[0-9a-f]{40}$/);
  expect(idTokenKey.publicKey.equals(cookieKey.publicKey)).toBe(false);
  expect(idTokenKey.publicKey.asymmetricKeyDetails).toMatchObject({ modulusLength: 2_048 });
  const again = await open();
  expect(again.ring('idToken').current().keyId).toBe(idTokenKey.keyId);
  expect(again.ring('idToken').current().privateKey.equals(idTokenKey.privateKey)).toBe(true);
  expect(publishedIds(again, 'sessionCookie')).toEqual([cookieKey.keyId]);
});

test('[I102] private keys are stored sealed, each for its own use', async () => {
  const keys = await open();
  const { keyId, privateKey } = keys.ring('idToken').current();
  const record = recordStore.read((view) =>
    view.records('installation').find(['signing-keys', 'idToken', keyId]),
  );
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' });
  const stored = Buffer.from(JSON.stringify(record));
  expect(stored.includes(secret.toString('base64').slice(100, 140))).toBe(false);
  expect(stored.includes(secret.toString('base64url').slice(100, 140))).toBe(false);
  expect(inspect(keys, { depth: 9, showHidden: true })).not.toContain('PRIVATE');
  await recordStore.change((transaction) =>
    transaction.records('installation').write(['signing-keys', 'sessionCookie', keyId], record),
  );
  await expect(open()).rejects.toThrow(StartFailure);
});

test('[I102] the server does not start with another secret key, and creates no keys with it', async () => {
  const { keyId } = (await open()).ring('idToken').current();
  await expect(open(2)).rejects.toEqual(
    new StartFailure(
      'The signing keys in the data directory were sealed under another secret key. Start with the key file, or the HEARTH_SECRET_KEY, that belongs to this data directory.',
    ),
  );
  expect((await open(1)).ring('idToken').current().keyId).toBe(keyId);
});

test('[I103][I104] a successor is published 12 hours before it signs, and the old key until its last token has expired', async () => {
  const keys = await open();
  const tokens = new SignedTokens(keys.ring('idToken'), clock.nowMs);
  const [first = ''] = publishedIds(keys, 'idToken');

  clock.ms = startMs + 80 * DAY - 1;
  expect(await keys.rotateIfDue()).toEqual([]);

  clock.ms = startMs + 80 * DAY;
  const rotations = await keys.rotateIfDue();
  expect(rotations.map(({ use }) => use)).toEqual(['idToken', 'sessionCookie', 'appCheck']);
  const [, second = ''] = publishedIds(keys, 'idToken');
  expect(rotations[0]).toEqual({ use: 'idToken', addedKeyIds: [second], removedKeyIds: [] });
  expect(await keys.rotateIfDue()).toEqual([]);

  clock.ms += 12 * HOUR - 1;
  expect(keys.ring('idToken').current().keyId).toBe(first);
  const lastToken = await issue(tokens);

  clock.ms += 1;
  expect(keys.ring('idToken').current().keyId).toBe(second);
  await tokens.verify(await issue(tokens), projectScope('demo'));
  await tokens.verify(lastToken, projectScope('demo'));

  clock.ms += 13 * HOUR - 1;
  expect(await keys.rotateIfDue()).toEqual([]);
  expect(publishedIds(keys, 'idToken')).toEqual([first, second]);

  clock.ms += 1;
  expect(await keys.rotateIfDue()).toEqual([{ use: 'idToken', addedKeyIds: [], removedKeyIds: [first] }]);
  expect(publishedIds(keys, 'idToken')).toEqual([second]);
  expect(publishedIds(keys, 'sessionCookie')).toHaveLength(2);
  expect(publishedIds(await open(), 'idToken')).toEqual([second]);

  clock.ms = startMs + 80 * DAY + 12 * HOUR + 14 * DAY + 12 * HOUR;
  await keys.rotateIfDue();
  expect(publishedIds(keys, 'sessionCookie')).toHaveLength(1);
});

test('[I103] two concurrent rotations create one successor', async () => {
  const keys = await open();
  clock.ms += 80 * DAY;
  await Promise.all([keys.rotateIfDue(), keys.rotateIfDue()]);
  expect(publishedIds(keys, 'idToken')).toHaveLength(2);
  expect(publishedIds(keys, 'sessionCookie')).toHaveLength(2);
});

test('[I103] after a long stop, the server signs with its old key until verifiers know the next', async () => {
  const { keyId } = (await open()).ring('idToken').current();
  clock.ms += 900 * DAY;
  const keys = await open();
  expect(keys.ring('idToken').current().keyId).toBe(keyId);
  expect(publishedIds(keys, 'idToken')).toHaveLength(2);
  clock.ms += 12 * HOUR;
  expect(keys.ring('idToken').current().keyId).not.toBe(keyId);
});

test('[I103] a key still signs after the clock goes back', async () => {
  const keys = await open();
  const { keyId } = keys.ring('idToken').current();
  clock.ms -= 400 * DAY;
  expect(keys.ring('idToken').current().keyId).toBe(keyId);
});

test('[I105] replacing all keys of a use invalidates their tokens immediately', async () => {
  const keys = await open();
  const tokens = new SignedTokens(keys.ring('idToken'), clock.nowMs);
  const before = publishedIds(keys, 'idToken');
  const cookieKeys = publishedIds(keys, 'sessionCookie');
  const token = await issue(tokens);
  await tokens.verify(token, projectScope('demo'));

  const rotation = await keys.replaceAll('idToken');

  expect(rotation).toEqual({
    use: 'idToken',
    addedKeyIds: publishedIds(keys, 'idToken'),
    removedKeyIds: before,
  });
  expect(publishedIds(keys, 'idToken')).toHaveLength(1);
  expect(publishedIds(keys, 'sessionCookie')).toEqual(cookieKeys);
  await expect(tokens.verify(token, projectScope('demo'))).rejects.toMatchObject({
    code: 'INVALID_ID_TOKEN',
  });
  await tokens.verify(await issue(tokens), projectScope('demo'));
  expect(publishedIds(await open(), 'idToken')).toEqual(rotation.addedKeyIds);
});

test('[I106] certificates cover the time for which their keys are published', async () => {
  const keys = await open();
  const { certificate, publicKey } = keys.ring('idToken').current();
  const { validFrom, validTo, publicKey: certified } = new X509Certificate(certificate);
  expect(certified.equals(publicKey)).toBe(true);
  expect(Date.parse(validFrom)).toBe(startMs - DAY);
  expect(Date.parse(validTo)).toBeGreaterThan(startMs + 1_000 * DAY);
});

test('[I107] the published keys of a use verify its tokens and no others', async () => {
  const { compactVerify, createLocalJWKSet, importX509 } = await import('jose');
  const keys = await open();
  const idTokens = new SignedTokens(keys.ring('idToken'), clock.nowMs);
  const cookies = new SignedTokens(keys.ring('sessionCookie'), clock.nowMs);
  const token = await issue(idTokens);
  const published = createLocalJWKSet(jwks(keys.ring('idToken')));
  await compactVerify(token, published);
  await expect(compactVerify(await issue(cookies), published)).rejects.toThrow('no applicable key found');
  const [certificate = ''] = Object.values(certificatesByKeyId(keys.ring('idToken')));
  await compactVerify(token, await importX509(certificate, 'RS256'));
});
