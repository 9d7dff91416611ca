import { beforeAll, expect, test } from 'vitest';
import type { MemberRole } from '../../access/principal.ts';
import { randomBytes } from '../../platform/random.ts';
import { memoryRecordStore, TestClock } from '../../records/memory-records.fixture.ts';
import { INSTALLATION } from '../../records/store.ts';
import { type Account, emptyAccount } from '../accounts/account.ts';
import { accountRecords, saveAccount } from '../accounts/account-store.ts';
import { NEW_SETTINGS } from '../projects/project.ts';
import { Projects } from '../projects/projects.ts';
import type { Session } from '../sign-in/session.ts';
import { addSession, endSession } from '../sign-in/session-store.ts';
import { projectScope } from '../tenants/scope.ts';
import { idTokenClaims } from '../tokens/id-token.ts';
import { testKey, testRing } from '../tokens/key-ring.fixture.ts';
import type { SigningKey } from '../tokens/key-ring.ts';
import { SignedTokens } from '../tokens/signed-tokens.ts';
import { removeMember, saveMember } from './member-store.ts';
import { MemberVerifier } from './member-verifier.ts';

const FACTOR = { kind: 'totp', enrollmentId: 'f1' };

let key: SigningKey;
let otherKey: SigningKey;
beforeAll(async () => {
  [key, otherKey] = [await testKey('one'), await testKey('two')];
});

/** Creates a verifier for the projects `shop`, of which Ann is a member with a session, and `club`. */
async function openTestBed(role: MemberRole = 'editor') {
  const clock = new TestClock();
  const recordStore = memoryRecordStore(clock);
  const projects = new Projects({ recordStore, randomBytes, onDemand: null });
  for (const id of ['shop', 'club']) await projects.create(id, NEW_SETTINGS);
  const session: Session = {
    id: 's1',
    uid: 'ann',
    provider: 'password',
    secondFactor: FACTOR,
    sessionClaims: null,
    signInAttributes: null,
    createdAtMs: clock.ms,
    authTimeSec: clock.ms / 1_000,
    lastUsedAtMs: clock.ms,
    device: { userAgent: '', network: '' },
    seed: 'seed',
    generation: 0,
    isRotating: false,
    rotatedAtMs: clock.ms,
    previousRotatedAtMs: clock.ms,
  };
  const save = (change: Partial<Account> = {}) =>
    recordStore.change((transaction) => {
      const ann = { ...emptyAccount('ann', clock.ms), ...change };
      saveAccount(transaction.records(accountRecords(projectScope('shop'))), undefined, ann);
    });
  await save({ email: 'ann@example.com' });
  await recordStore.change((transaction) => {
    addSession(transaction.records(accountRecords(projectScope('shop'))), session);
    saveMember(transaction.records(INSTALLATION), 'shop', { uid: 'ann', role, addedAtMs: 1 });
  });
  const idTokens = new SignedTokens(testRing('idToken', [key]), clock.nowMs);
  const sign = async (change = {}, by = idTokens) =>
    `member.${await by.sign(idTokenClaims({ ...SUBJECT, authTimeSec: clock.ms / 1_000, ...change }, clock.ms / 1_000))}`;
  const verifier = new MemberVerifier({ recordStore, projects, idTokens });
  const codeOf = async (token: string) =>
    verifier.verify(token).then(
      () => 'admitted',
      ({ code }) => code,
    );
  return { clock, recordStore, projects, idTokens, save, sign, verifier, codeOf };
}

const SUBJECT = {
  projectId: 'shop',
  tenantId: undefined,
  uid: 'ann',
  email: 'ann@example.com',
  isEmailVerified: true,
  phoneNumber: undefined,
  displayName: undefined,
  photoUrl: undefined,
  identities: {},
  signInProvider: 'password',
  secondFactor: FACTOR,
  signInAttributes: undefined,
  customClaims: {},
  sessionClaims: {},
};

test.each<[MemberRole, readonly string[]]>([
  ['viewer', ['identity.viewer', 'database.viewer']],
  ['editor', ['identity.admin', 'identity.viewer', 'identity.configAdmin', 'database.admin']],
  ['owner', expect.arrayContaining(['database.admin', 'project.owner'])],
])(
  '[I620] the token of a member with the role %s authenticates an administrator with matching roles',
  async (role, roles) => {
    const { clock, sign, verifier } = await openTestBed(role);
    expect(await verifier.verify(await sign())).toEqual({
      name: 'ann@example.com',
      projectId: 'shop',
      roles,
      expiresAtMs: clock.ms + 3_600_000,
      grant: {
        kind: 'member',
        projectId: 'shop',
        uid: 'ann',
        role,
        issuedAtSec: clock.ms / 1_000,
        sessionIds: ['s1'],
      },
    });
  },
);

test.each(['member.', 'member.x', 'member.a.b.c', 'member.e30.e30.', `member.${'x'.repeat(100_000)}`])(
  '[I620] %.20s is not a token of a member',
  async (token) => {
    const { codeOf } = await openTestBed();
    expect(await codeOf(token)).toBe('auth/unreadable');
  },
);

test('[I620] a token that this server did not sign, or of an unknown project, is rejected', async () => {
  const { clock, codeOf, sign } = await openTestBed();
  const others = new SignedTokens(testRing('idToken', [otherKey]), clock.nowMs);
  expect(await codeOf(await sign({}, others))).toBe('auth/unreadable');
  expect(await codeOf(await sign({ projectId: 'none' }))).toBe('auth/unreadable');
});

test('[I620] the token of a member is valid until it expires, unless the project is disabled', async () => {
  const { clock, codeOf, projects, sign } = await openTestBed();
  const token = await sign();
  expect(await codeOf(token)).toBe('admitted');
  await projects.change('shop', (settings) => ({ ...settings, isDisabled: true }));
  expect(await codeOf(token)).toBe('auth/expired');
  await projects.change('shop', (settings) => ({ ...settings, isDisabled: false }));
  clock.ms += 3_660_000;
  expect(await codeOf(token)).toBe('auth/expired');
});

test.each<[string, Partial<Account>]>([
  ['is disabled', { isDisabled: true }],
  ['had its tokens revoked', { validSinceSec: 1_700_000_001 }],
])('[I627] a member whose account %s is rejected', async (_what, change) => {
  const { codeOf, save, sign } = await openTestBed();
  const token = await sign();
  await save(change);
  expect(await codeOf(token)).toBe('auth/expired');
});

test('[I627][I628] a member is rejected after the session ends, and after the membership ends', async () => {
  const { recordStore, codeOf, sign } = await openTestBed();
  const token = await sign();
  await recordStore.change((transaction) =>
    endSession(transaction.records(accountRecords(projectScope('shop'))), 'ann', 's1'),
  );
  expect(await codeOf(token)).toBe('auth/expired');
  await recordStore.change((transaction) =>
    removeMember(transaction.records(INSTALLATION), projectScope('shop'), 'ann'),
  );
  expect(await codeOf(token)).toBe('member/unknown');
});

test('[H391] a member who signed in without a second factor is rejected, even if a session with one started in the same second', async () => {
  const { codeOf, sign } = await openTestBed();
  expect(await codeOf(await sign({ secondFactor: undefined }))).toBe('member/second-factor');
  // The token names a factor that no session has used.
  expect(await codeOf(await sign({ secondFactor: { kind: 'totp', enrollmentId: 'f2' } }))).toBe(
    'auth/expired',
  );
});
