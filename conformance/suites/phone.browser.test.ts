import {
  type Auth,
  createUserWithEmailAndPassword,
  getMultiFactorResolver,
  linkWithPhoneNumber,
  type MultiFactorError,
  type MultiFactorResolver,
  multiFactor,
  PhoneAuthProvider,
  PhoneMultiFactorGenerator,
  reauthenticateWithPhoneNumber,
  signInAnonymously,
  signInWithCredential,
  signInWithEmailAndPassword,
  signInWithPhoneNumber,
  signOut,
  type User,
  type UserCredential,
  unlink,
  updatePhoneNumber,
} from 'firebase/auth';
import { describe, expect, test } from 'vitest';
import { AUTH_METHODS, changeAccount, freshEmail, openAuth, PASSWORD } from '../drivers/auth.ts';
import { freshPhoneNumber, OWN_VERIFIER, readSmsCode, wrongSmsCode } from '../drivers/sms.ts';

async function signInByPhone(auth: Auth, phoneNumber: string): Promise<UserCredential> {
  const confirmation = await signInWithPhoneNumber(auth, phoneNumber, OWN_VERIFIER);
  return confirmation.confirm(await readSmsCode(phoneNumber));
}

describe.each(AUTH_METHODS)('A phone as sign-in method, with %s', (by) => {
  test('[S480] signs up, and signs in to the same account', async () => {
    const auth = openAuth({ by });
    const phoneNumber = freshPhoneNumber();
    const first = await signInByPhone(auth, phoneNumber);
    expect(first.user).toMatchObject({ phoneNumber, providerData: [{ providerId: 'phone', phoneNumber }] });
    expect((await first.user.getIdTokenResult()).signInProvider).toBe('phone');
    await signOut(auth);
    const second = await signInByPhone(auth, phoneNumber);
    expect(second.user.uid).toBe(first.user.uid);
  });

  test('[S481] does not accept a wrong code, an unknown session or a wrong number', async () => {
    const auth = openAuth({ by });
    const phoneNumber = freshPhoneNumber();
    const confirmation = await signInWithPhoneNumber(auth, phoneNumber, OWN_VERIFIER);
    const code = await readSmsCode(phoneNumber);
    await expect(confirmation.confirm(wrongSmsCode(code))).rejects.toMatchObject({
      code: 'auth/invalid-verification-code',
    });
    const unknown = PhoneAuthProvider.credential('unknown', code);
    await expect(signInWithCredential(auth, unknown)).rejects.toMatchObject({
      code: 'auth/invalid-verification-id',
    });
    await expect(signInWithPhoneNumber(auth, '12345', OWN_VERIFIER)).rejects.toMatchObject({
      code: 'auth/invalid-phone-number',
    });
    expect((await confirmation.confirm(code)).user.phoneNumber).toBe(phoneNumber);
  });

  test('[S482] is linked to an anonymous user, and unlinked', async () => {
    const auth = openAuth({ by });
    const { user } = await signInAnonymously(auth);
    const phoneNumber = freshPhoneNumber();
    const confirmation = await linkWithPhoneNumber(user, phoneNumber, OWN_VERIFIER);
    const linked = await confirmation.confirm(await readSmsCode(phoneNumber));
    expect(linked).toMatchObject({ operationType: 'link', user: { uid: user.uid, phoneNumber } });
    expect(linked.user.isAnonymous).toBe(false);
    expect((await unlink(linked.user, 'phone')).phoneNumber).toBeNull();
  });

  test('[S483] of another account is not linked, but the error has a credential that signs in to that account', async () => {
    const auth = openAuth({ by });
    const phoneNumber = freshPhoneNumber();
    const owner = await signInByPhone(auth, phoneNumber);
    const { user } = await createUserWithEmailAndPassword(auth, freshEmail(), PASSWORD);
    const confirmation = await linkWithPhoneNumber(user, phoneNumber, OWN_VERIFIER);
    const error = await confirmation.confirm(await readSmsCode(phoneNumber)).catch((reason) => reason);
    expect(error.code).toBe('auth/account-exists-with-different-credential');
    const credential = PhoneAuthProvider.credentialFromError(error);
    if (credential === null) throw new Error('The error has no credential.');
    const signedIn = await signInWithCredential(auth, credential);
    expect(signedIn.user.uid).toBe(owner.user.uid);
  });

  test('[S484] is replaced by another number', async () => {
    const auth = openAuth({ by });
    const { user } = await signInByPhone(auth, freshPhoneNumber());
    const phoneNumber = freshPhoneNumber();
    const verificationId = await new PhoneAuthProvider(auth).verifyPhoneNumber(phoneNumber, OWN_VERIFIER);
    const code = await readSmsCode(phoneNumber);
    await updatePhoneNumber(user, PhoneAuthProvider.credential(verificationId, code));
    expect(user.phoneNumber).toBe(phoneNumber);
    await user.getIdToken(true);
  });

  test('[S485] signs in again only as the same user', async () => {
    const auth = openAuth({ by });
    const phoneNumber = freshPhoneNumber();
    const { user } = await signInByPhone(auth, phoneNumber);
    const confirmation = await reauthenticateWithPhoneNumber(user, phoneNumber, OWN_VERIFIER);
    const again = await confirmation.confirm(await readSmsCode(phoneNumber));
    expect(again.operationType).toBe('reauthenticate');
    const other = freshPhoneNumber();
    const wrong = await reauthenticateWithPhoneNumber(user, other, OWN_VERIFIER);
    await expect(wrong.confirm(await readSmsCode(other))).rejects.toMatchObject({
      code: 'auth/user-mismatch',
    });
    expect(auth.currentUser?.uid).toBe(user.uid);
  });
});

describe.each(AUTH_METHODS)('A phone as second factor, with %s', (by) => {
  async function openUser(): Promise<{ readonly auth: Auth; readonly user: User; readonly email: string }> {
    const auth = openAuth({ by });
    const email = freshEmail();
    const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    await changeAccount(user.uid, { emailVerified: true });
    return { auth, user, email };
  }

  async function enroll(auth: Auth, user: User, phoneNumber: string): Promise<void> {
    const session = await multiFactor(user).getSession();
    const verificationId = await new PhoneAuthProvider(auth).verifyPhoneNumber(
      { phoneNumber, session },
      OWN_VERIFIER,
    );
    const credential = PhoneAuthProvider.credential(verificationId, await readSmsCode(phoneNumber));
    await multiFactor(user).enroll(PhoneMultiFactorGenerator.assertion(credential), 'my phone');
  }

  async function challengedBy(auth: Auth, email: string): Promise<MultiFactorResolver> {
    const error = await signInWithEmailAndPassword(auth, email, PASSWORD).catch((reason) => reason);
    expect(error.code).toBe('auth/multi-factor-auth-required');
    return getMultiFactorResolver(auth, error as MultiFactorError);
  }

  test('[S486] is enrolled with the code that was sent to it', async () => {
    const { auth, user } = await openUser();
    const phoneNumber = freshPhoneNumber();
    await enroll(auth, user, phoneNumber);
    expect(multiFactor(user).enrolledFactors).toMatchObject([
      { factorId: 'phone', displayName: 'my phone', phoneNumber },
    ]);
    expect((await user.getIdTokenResult()).signInSecondFactor).toBe('phone');
  });

  test('[S487] is required after the password; a wrong code is rejected, and the right code then signs in', async () => {
    const { auth, user, email } = await openUser();
    const phoneNumber = freshPhoneNumber();
    await enroll(auth, user, phoneNumber);
    await signOut(auth);
    const resolver = await challengedBy(auth, email);
    expect(resolver.hints).toMatchObject([{ factorId: 'phone', displayName: 'my phone' }]);
    expect(JSON.stringify(resolver.hints)).not.toContain(phoneNumber);
    const [hint] = resolver.hints;
    if (hint === undefined) throw new Error('There is no second factor.');
    const verificationId = await new PhoneAuthProvider(auth).verifyPhoneNumber(
      { multiFactorHint: hint, session: resolver.session },
      OWN_VERIFIER,
    );
    const code = await readSmsCode(phoneNumber);
    const resolve = (given: string): Promise<UserCredential> =>
      resolver.resolveSignIn(
        PhoneMultiFactorGenerator.assertion(PhoneAuthProvider.credential(verificationId, given)),
      );
    await expect(resolve(wrongSmsCode(code))).rejects.toMatchObject({
      code: 'auth/invalid-verification-code',
    });
    const signedIn = await resolve(code);
    expect(signedIn.user.uid).toBe(user.uid);
    expect((await signedIn.user.getIdTokenResult()).signInSecondFactor).toBe('phone');
    await multiFactor(signedIn.user).unenroll(multiFactor(signedIn.user).enrolledFactors[0] ?? '');
    await signInWithEmailAndPassword(auth, email, PASSWORD);
  });

  test('[S489] may be one of several; the user chooses which one gets the code, and removes one', async () => {
    const { auth, user, email } = await openUser();
    const [first, second] = [freshPhoneNumber(), freshPhoneNumber()];
    await enroll(auth, user, first);
    await enroll(auth, user, second);
    await expect(enroll(auth, user, second)).rejects.toMatchObject({
      code: 'auth/second-factor-already-in-use',
    });
    await signOut(auth);
    const resolver = await challengedBy(auth, email);
    const hint = resolver.hints.find(
      (one) => 'phoneNumber' in one && one.phoneNumber === `+*******${second.slice(-4)}`,
    );
    if (hint === undefined) throw new Error('The second number is not offered.');
    expect(resolver.hints).toHaveLength(2);
    const verificationId = await new PhoneAuthProvider(auth).verifyPhoneNumber(
      { multiFactorHint: hint, session: resolver.session },
      OWN_VERIFIER,
    );
    const credential = PhoneAuthProvider.credential(verificationId, await readSmsCode(second));
    const signedIn = await resolver.resolveSignIn(PhoneMultiFactorGenerator.assertion(credential));
    await multiFactor(signedIn.user).unenroll(hint);
    await signOut(auth);
    expect((await challengedBy(auth, email)).hints).toMatchObject([{ factorId: 'phone' }]);
  });

  test('[S490] has the errors of the official service for wrong, old and misused codes', async () => {
    const { auth, user } = await openUser();
    const phoneNumber = freshPhoneNumber();
    const session = await multiFactor(user).getSession();
    const verificationId = await new PhoneAuthProvider(auth).verifyPhoneNumber(
      { phoneNumber, session },
      OWN_VERIFIER,
    );
    const code = await readSmsCode(phoneNumber);
    const finish = (id: string, given: string): Promise<void> =>
      multiFactor(user).enroll(PhoneMultiFactorGenerator.assertion(PhoneAuthProvider.credential(id, given)));
    const confirmation = await signInWithPhoneNumber(openAuth({ by }), freshPhoneNumber(), OWN_VERIFIER);
    await expect(finish(confirmation.verificationId, code)).rejects.toMatchObject({
      code: 'auth/invalid-verification-id',
    });
    for (let count = 0; count < 5; count++)
      await expect(finish(verificationId, wrongSmsCode(code))).rejects.toMatchObject({
        code: 'auth/invalid-verification-code',
      });
    await expect(finish(verificationId, code)).rejects.toMatchObject({ code: 'auth/code-expired' });
    expect(multiFactor(user).enrolledFactors).toEqual([]);
  });
});
