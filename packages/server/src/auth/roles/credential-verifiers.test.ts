import { beforeAll, expect, test } from 'vitest';
import { emulatorVerifier } from '../../access/emulator-verifier.ts';
import { credentialVerifierContract } from '../../access/verifier.contract.ts';
import { randomBytes } from '../../platform/random.ts';
import { secretBox } from '../../platform/secret-box.ts';
import { secretKey } from '../../platform/secret-key.ts';
import { memoryRecordStore, TestClock } from '../../records/memory-records.fixture.ts';
import { type Account, emptyAccount } from '../accounts/account.ts';
import { accountRecords, saveAccount } from '../accounts/account-store.ts';
import { DatabaseOwners } from '../projects/database-owners.ts';
import { NEW_SETTINGS } from '../projects/project.ts';
import { Projects } from '../projects/projects.ts';
import { projectScope } from '../tenants/scope.ts';
import { Tenants } from '../tenants/tenants.ts';
import { idTokenClaims } from '../tokens/id-token.ts';
import { testKey, testRing } from '../tokens/key-ring.fixture.ts';
import type { SigningKey } from '../tokens/key-ring.ts';
import { SignedTokens } from '../tokens/signed-tokens.ts';
import { AccountVerifier, anyCredentialVerifier } from './credential-verifiers.ts';

const SHOP = { kind: 'database', name: 'shop-default-rtdb' } as const;

let key: SigningKey;
beforeAll(async () => {
  key = await testKey('one');
});

/** Creates a verifier for the project `shop`, which has an account `ann`. */
async function openTestBed() {
  const clock = new TestClock();
  const recordStore = memoryRecordStore(clock);
  const projects = new Projects({ recordStore, randomBytes, onDemand: null });
  for (const id of ['shop', 'club']) await projects.create(id, NEW_SETTINGS);
  const save = (change: Partial<Account> = {}) =>
    recordStore.change((transaction) => {
      const ann = { ...emptyAccount('ann', clock.ms), ...change };
      saveAccount(transaction.records(accountRecords(projectScope('shop'))), undefined, ann);
    });
  await save();
  const idTokens = new SignedTokens(testRing('idToken', [key]), clock.nowMs);
  const box = secretBox(secretKey(new Uint8Array(32)), randomBytes);
  const tenants = new Tenants({ recordStore, randomBytes, clock, secretBox: box, isDevelopment: false });
  const verifier = new AccountVerifier(
    { recordStore, projects, tenants, idTokens },
    new DatabaseOwners(recordStore),
  );
  return { clock, recordStore, projects, idTokens, verifier, save };
}

function claims(nowMs: number, change = {}) {
  const subject = {
    projectId: 'shop',
    tenantId: undefined,
    uid: 'ann',
    email: undefined,
    isEmailVerified: false,
    phoneNumber: undefined,
    displayName: undefined,
    photoUrl: undefined,
    identities: {},
    signInProvider: 'password',
    secondFactor: undefined,
    signInAttributes: undefined,
    customClaims: { plan: 'gold' },
    sessionClaims: {},
    authTimeSec: nowMs / 1_000,
  };
  return idTokenClaims({ ...subject, ...change }, nowMs / 1_000);
}

test('[I443] a token authenticates its account until it expires', async () => {
  const { clock, idTokens, verifier } = await openTestBed();
  const token = await idTokens.sign(claims(clock.ms));
  expect(await verifier.verify({ token }, SHOP)).toEqual({
    kind: 'user',
    auth: { uid: 'ann', provider: 'password', token: expect.objectContaining({ plan: 'gold', aud: 'shop' }) },
    expiresAtMs: clock.ms + 3_600_000,
  });
  clock.ms += 3_660_000;
  await expect(verifier.verify({ token }, SHOP)).rejects.toMatchObject({ code: 'auth/expired' });
});

const REJECTED = ['', 'x', 'a.b.c', 'owner', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.'];

/** Returns a verifier, and the token of a user that the verifier accepts. */
async function openVerifier() {
  const { clock, idTokens, verifier } = await openTestBed();
  const elsewhere = await idTokens.sign(claims(clock.ms, { projectId: 'club' }));
  const ofUnknownUser = await idTokens.sign(claims(clock.ms, { uid: 'bob' }));
  return {
    verifier,
    resource: SHOP,
    token: await idTokens.sign(claims(clock.ms)),
    isAdmin: false,
    rejected: [...REJECTED, elsewhere, ofUnknownUser],
  };
}

credentialVerifierContract('accounts', openVerifier);

credentialVerifierContract('accounts in a server that also accepts administrators', async () => {
  const users = await openVerifier();
  const isAdminToken = (token: string) => token === 'owner';
  const verifier = anyCredentialVerifier(isAdminToken, emulatorVerifier, users.verifier);
  return { ...users, verifier, rejected: users.rejected.filter((token) => !isAdminToken(token)) };
});

credentialVerifierContract('administrators in a server that also accepts accounts', async () => {
  const users = await openVerifier();
  const isAdminToken = (token: string) => token === 'owner';
  const verifier = anyCredentialVerifier(isAdminToken, emulatorVerifier, users.verifier);
  const rejected = users.rejected.filter((token) => !isAdminToken(token));
  return { ...users, verifier, token: 'owner', isAdmin: true, rejected };
});

test.each([
  ['belongs to another project', { projectId: 'club' }, 'auth/unreadable'],
  ['belongs to no account', { uid: 'bob' }, 'auth/expired'],
])('[I443] a token that %s is rejected', async (_what, change, code) => {
  const { clock, idTokens, verifier } = await openTestBed();
  const token = await idTokens.sign(claims(clock.ms, change));
  await expect(verifier.verify({ token }, SHOP)).rejects.toMatchObject({ code });
});

test('[I443] a token is rejected in databases of other projects', async () => {
  const { clock, idTokens, verifier } = await openTestBed();
  const token = await idTokens.sign(claims(clock.ms));
  for (const resource of [
    { kind: 'database', name: 'club' },
    { kind: 'database', name: 'none' },
  ] as const)
    await expect(verifier.verify({ token }, resource)).rejects.toMatchObject({ code: 'auth/unreadable' });
});

test.each<[string, Partial<Account>]>([
  ['is disabled', { isDisabled: true }],
  ['had its tokens revoked', { validSinceSec: 1_700_000_001 }],
])('[I443] a token of an account that %s is rejected', async (_what, change) => {
  const { clock, idTokens, verifier, save } = await openTestBed();
  const token = await idTokens.sign(claims(clock.ms));
  await verifier.verify({ token }, SHOP);
  await save(change);
  await expect(verifier.verify({ token }, SHOP)).rejects.toMatchObject({ code: 'auth/expired' });
});

test('[I443] tokens of a disabled project are rejected', async () => {
  const { clock, idTokens, projects, verifier } = await openTestBed();
  const token = await idTokens.sign(claims(clock.ms));
  await projects.change('shop', (settings) => ({ ...settings, isDisabled: true }));
  await expect(verifier.verify({ token }, SHOP)).rejects.toMatchObject({ code: 'auth/expired' });
});

test.each(REJECTED)('[I443][I441] the token %j is rejected', async (token) => {
  const { verifier } = await openTestBed();
  await expect(verifier.verify({ token }, SHOP)).rejects.toMatchObject({ code: 'auth/unreadable' });
});
