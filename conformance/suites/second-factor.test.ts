import { hearthAuth } from '@hearth/client';
import {
  type Auth,
  createUserWithEmailAndPassword,
  EmailAuthProvider,
  getMultiFactorResolver,
  type MultiFactorError,
  type MultiFactorResolver,
  multiFactor,
  reauthenticateWithCredential,
  signInAnonymously,
  signInWithEmailAndPassword,
  signOut,
  TotpMultiFactorGenerator,
  type TotpSecret,
  type User,
  type UserCredential,
} from 'firebase/auth';
import { describe, expect, inject, test } from 'vitest';
import { changeAccount, openHostedApp } from '../drivers/auth.ts';
import { totpCode, wrongTotpCode } from '../drivers/credentials.ts';

const PASSWORD = 'a long password';
const WRONG_CODE = 'auth/invalid-verification-code';
const url = inject('serverUrl');

/** Creates a user with a verified email address, who is signed in. */
async function openUser(): Promise<{ readonly auth: Auth; readonly user: User; readonly email: string }> {
  const auth = hearthAuth(openHostedApp(), url);
  const email = `${crypto.randomUUID()}@example.com`;
  const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
  await changeAccount(user.uid, { emailVerified: true });
  return { auth, user, email };
}

async function startEnrollment(user: User): Promise<TotpSecret> {
  return TotpMultiFactorGenerator.generateSecret(await multiFactor(user).getSession());
}

async function enrollApp(user: User): Promise<string> {
  const secret = await startEnrollment(user);
  const code = await totpCode(secret.secretKey);
  await multiFactor(user).enroll(TotpMultiFactorGenerator.assertionForEnrollment(secret, code), 'my app');
  return secret.secretKey;
}

/** Returns the challenge for the second factor that follows a primary credential. */
async function challengedBy(
  auth: Auth,
  primaryCredential: Promise<UserCredential>,
): Promise<MultiFactorResolver> {
  const error: unknown = await primaryCredential.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'auth/multi-factor-auth-required' });
  return getMultiFactorResolver(auth, error as MultiFactorError);
}

function resolve(resolver: MultiFactorResolver, code: string): Promise<UserCredential> {
  const { uid = '' } = resolver.hints[0] ?? {};
  return resolver.resolveSignIn(TotpMultiFactorGenerator.assertionForSignIn(uid, code));
}

describe('An authenticator app as second factor', () => {
  test('[S380] is not enrolled with a wrong code', async () => {
    const { user } = await openUser();
    const secret = await startEnrollment(user);
    expect(secret).toMatchObject({ codeLength: 6, codeIntervalSeconds: 30, hashingAlgorithm: 'SHA1' });
    expect(Date.parse(secret.enrollmentCompletionDeadline)).toBeGreaterThan(Date.now());
    const code = await wrongTotpCode(secret.secretKey);
    const assertion = TotpMultiFactorGenerator.assertionForEnrollment(secret, code);
    await expect(multiFactor(user).enroll(assertion, 'my app')).rejects.toMatchObject({ code: WRONG_CODE });
    await user.reload();
    expect(multiFactor(user).enrolledFactors).toEqual([]);
  });

  test('[S381] is enrolled with the right code; the user then has the factor, and a token that names it', async () => {
    const { user } = await openUser();
    await enrollApp(user);
    await user.reload();
    expect(multiFactor(user).enrolledFactors).toMatchObject([
      { factorId: 'totp', displayName: 'my app', uid: expect.any(String) },
    ]);
    expect((await user.getIdTokenResult()).signInSecondFactor).toBe('totp');
  });

  test('[S382] is required after the password; a wrong code is rejected, and the right code then signs in', async () => {
    const { auth, user, email } = await openUser();
    const key = await enrollApp(user);
    await signOut(auth);
    const resolver = await challengedBy(auth, signInWithEmailAndPassword(auth, email, PASSWORD));
    expect(resolver.hints).toMatchObject([{ factorId: 'totp', displayName: 'my app' }]);
    await expect(resolve(resolver, await wrongTotpCode(key))).rejects.toMatchObject({ code: WRONG_CODE });
    expect(auth.currentUser).toBeNull();
    const signedIn = await resolve(resolver, await totpCode(key, 1));
    expect(signedIn.user.uid).toBe(user.uid);
    await signedIn.user.getIdToken(true);
    expect((await signedIn.user.getIdTokenResult()).signInSecondFactor).toBe('totp');
  });

  test('[S383] does not accept a code twice', async () => {
    const { auth, user, email } = await openUser();
    const key = await enrollApp(user);
    const code = await totpCode(key, 1);
    const first = await challengedBy(auth, signInWithEmailAndPassword(auth, email, PASSWORD));
    await resolve(first, code);
    const second = await challengedBy(auth, signInWithEmailAndPassword(auth, email, PASSWORD));
    await expect(resolve(second, code)).rejects.toMatchObject({ code: WRONG_CODE });
    await expect(resolve(first, await totpCode(key, 2))).rejects.toMatchObject({
      code: 'auth/invalid-multi-factor-session',
    });
  });

  test('[S384] is required when the user reauthenticates', async () => {
    const { auth, user, email } = await openUser();
    const key = await enrollApp(user);
    const credential = EmailAuthProvider.credential(email, PASSWORD);
    const resolver = await challengedBy(auth, reauthenticateWithCredential(user, credential));
    expect((await resolve(resolver, await totpCode(key, 1))).operationType).toBe('reauthenticate');
  });

  test('[S385] can be unenrolled, and then the password alone signs in', async () => {
    const { auth, user, email } = await openUser();
    await enrollApp(user);
    const [factor] = multiFactor(user).enrolledFactors;
    await multiFactor(user).unenroll(factor ?? '');
    expect(auth.currentUser?.uid).toBe(user.uid);
    expect(multiFactor(user).enrolledFactors).toEqual([]);
    await user.reload();
    expect((await user.getIdTokenResult(true)).signInSecondFactor).toBeNull();
    const again = await signInWithEmailAndPassword(auth, email, PASSWORD);
    expect(multiFactor(again.user).enrolledFactors).toEqual([]);
  });

  test('[S386] cannot be enrolled by anonymous users or without a verified email address, and not twice', async () => {
    const auth = hearthAuth(openHostedApp(), url);
    const anonymous = await signInAnonymously(auth);
    await expect(startEnrollment(anonymous.user)).rejects.toMatchObject({
      code: 'auth/unsupported-first-factor',
    });
    const { user } = await createUserWithEmailAndPassword(
      auth,
      `${crypto.randomUUID()}@example.com`,
      PASSWORD,
    );
    await expect(startEnrollment(user)).rejects.toMatchObject({ code: 'auth/unverified-email' });
    const verified = await openUser();
    await enrollApp(verified.user);
    await expect(startEnrollment(verified.user)).rejects.toMatchObject({
      code: 'auth/second-factor-already-in-use',
    });
  });

  test('[S387] can be replaced by a recovery code, once', async () => {
    const { auth, user, email } = await openUser();
    await enrollApp(user);
    const answer = await fetch(`${url}/v2/accounts/mfaRecoveryCodes:generate?key=any`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ idToken: await user.getIdToken() }),
    });
    const { recoveryCodes } = (await answer.json()) as { readonly recoveryCodes: readonly string[] };
    const [code = ''] = recoveryCodes;
    const first = await challengedBy(auth, signInWithEmailAndPassword(auth, email, PASSWORD));
    expect((await resolve(first, code)).user.uid).toBe(user.uid);
    const second = await challengedBy(auth, signInWithEmailAndPassword(auth, email, PASSWORD));
    await expect(resolve(second, code)).rejects.toMatchObject({ code: WRONG_CODE });
  });
});
