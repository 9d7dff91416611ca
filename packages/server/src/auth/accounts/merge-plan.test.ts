import { describe, expect, test } from 'vitest';
import { type Account, emptyAccount, type FederatedIdentity, type SecondFactor } from './account.ts';
import { planMerge } from './merge-plan.ts';

const account = (uid: string, change: Partial<Account> = {}): Account => ({
  ...emptyAccount(uid, 1_000),
  ...change,
});

const identity = (providerId: string, email: string | null = null): FederatedIdentity => ({
  providerId,
  rawId: `${providerId}-1`,
  email,
  displayName: null,
  photoUrl: null,
  screenName: null,
  wasLinkedVerified: true,
});

const phone = (number: string): SecondFactor => ({
  kind: 'phone',
  enrollmentId: `phone ${number}`,
  displayName: null,
  enrolledAtMs: 1,
  phoneNumber: number,
});

const app = (id: string): SecondFactor => ({
  kind: 'totp',
  enrollmentId: id,
  displayName: 'App',
  enrolledAtMs: 1,
  sealedSecret: 's',
  lastStep: 0,
});

const passkey = (credentialId: string): Account['passkeys'][number] => ({
  credentialId,
  publicKey: 'k',
  counter: 0,
  transports: [],
  isBackupEligible: false,
  isBackedUp: false,
  name: credentialId,
  wasAddedVerified: true,
  createdAtMs: 1,
  lastUsedAtMs: null,
});

const VERIFIED: Partial<Account> = { email: 'a@example.com', isEmailVerified: true };
const WITH_PASSWORD: Partial<Account> = { password: { kind: 'x' }, passwordUpdatedAtMs: 5 };

test('[I1701] an account without an address gets the address with its password and its proofs', () => {
  const from = account('b', { ...VERIFIED, ...WITH_PASSWORD, hasEmailLink: true, isPasswordProven: true });
  const { merged, moved, lost } = planMerge(account('a'), from);
  expect(merged).toMatchObject({
    uid: 'a',
    email: 'a@example.com',
    isEmailVerified: true,
    password: { kind: 'x' },
    hasEmailLink: true,
    isPasswordProven: true,
  });
  expect(moved.map(({ kind }) => kind)).toEqual(['email', 'password']);
  expect(lost).toEqual([]);
});

test('[I1701] an account with an address never gets the password of another address', () => {
  const from = account('b', { email: 'b@example.com', isEmailVerified: true, ...WITH_PASSWORD });
  const { merged, lost } = planMerge(account('a', VERIFIED), from);
  expect(merged).toMatchObject({ email: 'a@example.com', password: null });
  expect(lost).toEqual([
    { kind: 'email', text: 'b@example.com' },
    { kind: 'password', text: '' },
  ]);
});

test('[I1701] the remaining account keeps its values, and gets the values that it lacks', () => {
  const into = account('a', { displayName: 'Ann', phoneNumber: null, createdAtMs: 9, lastLoginAtMs: 20 });
  const from = account('b', {
    displayName: 'Anna',
    photoUrl: 'https://example.com/b.png',
    phoneNumber: '+442079460123',
    createdAtMs: 3,
    lastLoginAtMs: 10,
    isDisabled: true,
  });
  const { merged, moved, lost } = planMerge(into, from);
  expect(merged).toMatchObject({
    displayName: 'Ann',
    photoUrl: 'https://example.com/b.png',
    phoneNumber: '+442079460123',
    createdAtMs: 3,
    lastLoginAtMs: 20,
    isDisabled: true,
  });
  expect(moved.map(({ kind }) => kind)).toEqual(['phone', 'photo']);
  expect(lost).toEqual([{ kind: 'name', text: 'Anna' }]);
});

test('[I1701] if both accounts have an identity at one provider, the remaining account keeps its own', () => {
  const into = account('a', { ...VERIFIED, identities: [identity('google.com')] });
  const from = account('b', {
    identities: [identity('google.com', 'b@example.com'), identity('github.com')],
  });
  const { merged, moved, lost } = planMerge(into, from);
  expect(merged.identities.map(({ providerId }) => providerId)).toEqual(['google.com', 'github.com']);
  expect(moved).toEqual([{ kind: 'provider', text: 'github.com' }]);
  expect(lost).toEqual([{ kind: 'provider', text: 'google.com: b@example.com' }]);
});

test('[I1702] identities and passkeys of an account without a verified address do not count as added by its owner', () => {
  const into = account('a', { email: 'a@example.com' });
  const from = account('b', {
    email: 'b@example.com',
    isEmailVerified: true,
    identities: [identity('github.com')],
    passkeys: [passkey('p')],
    passkeyHandle: 'h',
  });
  const { merged } = planMerge(into, from);
  expect(merged.identities).toMatchObject([{ wasLinkedVerified: false }]);
  expect(merged.passkeys).toMatchObject([{ wasAddedVerified: false }]);
});

describe('[I1703] second factors', () => {
  test('of both accounts are kept: each phone once, one app, at most five in all', () => {
    const into = account('a', { ...VERIFIED, factors: [app('a1'), phone('+1'), phone('+2')] });
    const from = account('b', { factors: [app('b1'), phone('+1'), phone('+3'), phone('+4'), phone('+5')] });
    const { merged, lost } = planMerge(into, from);
    expect(merged.factors.map(({ enrollmentId }) => enrollmentId)).toEqual([
      'a1',
      'phone +1',
      'phone +2',
      'phone +3',
      'phone +4',
    ]);
    expect(lost.map(({ text }) => text)).toEqual(['App', '+1', '+5']);
  });

  test('bring their recovery codes along only if the remaining account has no factors', () => {
    const from = account('b', { factors: [app('b1')], recoveryCodes: ['x'] });
    expect(planMerge(account('a', VERIFIED), from).merged.recoveryCodes).toEqual(['x']);
    const into = account('a', { ...VERIFIED, factors: [phone('+1')], recoveryCodes: ['y'] });
    const { merged, lost } = planMerge(into, from);
    expect(merged.recoveryCodes).toEqual(['y']);
    expect(lost).toEqual([{ kind: 'recovery-codes', text: '' }]);
  });

  test('are never dropped because the address is not verified: the merge is rejected', () => {
    const from = account('b', { factors: [app('b1')] });
    expect(planMerge(account('a', { email: 'a@example.com' }), from).problem).toBe('unverified-email');
    expect(planMerge(account('a', VERIFIED), from).problem).toBeNull();
  });
});

test('[I1704] passkeys move only to an account without passkeys, because an authenticator stores which account a passkey belongs to', () => {
  const from = account('b', { passkeys: [passkey('p')], passkeyHandle: 'hb' });
  expect(planMerge(account('a'), from).merged).toMatchObject({
    passkeyHandle: 'hb',
    passkeys: [{ credentialId: 'p' }],
  });
  const into = account('a', { passkeys: [passkey('q')], passkeyHandle: 'ha' });
  expect(planMerge(into, from)).toMatchObject({
    merged: { passkeyHandle: 'ha', passkeys: [{ credentialId: 'q' }] },
    lost: [{ kind: 'passkey', text: 'p' }],
  });
});

test('[I1705] claims that the remaining account lacks are added while they fit', () => {
  const into = account('a', { customAttributes: '{"role":"viewer","same":[1]}' });
  const long = 'x'.repeat(980);
  const from = account('b', {
    customAttributes: JSON.stringify({ role: 'admin', same: [1], long, plan: 'pro' }),
  });
  const { merged, moved, lost } = planMerge(into, from);
  expect(JSON.parse(merged.customAttributes ?? '')).toEqual({ role: 'viewer', same: [1], plan: 'pro' });
  expect(moved).toEqual([{ kind: 'claim', text: 'plan' }]);
  expect(lost.map(({ text }) => text)).toEqual(['role', 'long']);
});
