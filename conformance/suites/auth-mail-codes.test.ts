import {
  ActionCodeOperation,
  applyActionCode,
  checkActionCode,
  confirmPasswordReset,
  createUserWithEmailAndPassword,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  verifyBeforeUpdateEmail,
  verifyPasswordResetCode,
} from 'firebase/auth';
import { describe, expect, test } from 'vitest';
import {
  AUTH_METHODS,
  changeAuthConfig,
  freshEmail,
  openAuth,
  PASSWORD,
  readMailedCode,
  readMailedCodes,
} from '../drivers/auth.ts';
import { openOwnServer } from '../drivers/test-bed-client.ts';

const NEW_PASSWORD = 'another password';
const INVALID_CODE = { code: 'auth/invalid-action-code' };

describe.each(AUTH_METHODS)('Codes in mails, with %s', (by) => {
  test('[S376] a code verifies an email address once', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    await sendEmailVerification(user);
    const { code } = await readMailedCode(email, 'VERIFY_EMAIL');
    expect(await checkActionCode(auth, code)).toMatchObject({
      operation: ActionCodeOperation.VERIFY_EMAIL,
      data: { email },
    });
    await applyActionCode(openAuth({ by }), code);
    await user.reload();
    expect(user.emailVerified).toBe(true);
    expect((await user.getIdTokenResult(true)).claims['email_verified']).toBe(true);
    await expect(applyActionCode(auth, code)).rejects.toMatchObject(INVALID_CODE);
  });

  test('[S377] a code sets a password once, and ends earlier sessions', async () => {
    const [auth, elsewhere] = [openAuth({ by }), openAuth({ by })];
    const email = freshEmail();
    const { user } = await createUserWithEmailAndPassword(elsewhere, email, PASSWORD);
    await sendPasswordResetEmail(auth, email);
    const { code } = await readMailedCode(email, 'PASSWORD_RESET');
    expect(await verifyPasswordResetCode(auth, code)).toBe(email);
    await expect(confirmPasswordReset(auth, code, 'short')).rejects.toMatchObject({
      code: 'auth/weak-password',
    });
    await confirmPasswordReset(auth, code, NEW_PASSWORD);
    await expect(confirmPasswordReset(auth, code, 'a third password')).rejects.toMatchObject(INVALID_CODE);
    const again = await signInWithEmailAndPassword(auth, email, NEW_PASSWORD);
    expect(again.user).toMatchObject({ uid: user.uid, emailVerified: true });
    await expect(user.getIdToken(true)).rejects.toMatchObject({ code: 'auth/user-token-expired' });
    expect(elsewhere.currentUser).toBeNull();
  });

  test('[S377] if one code is used several times at the same time, one use sets the password', async () => {
    const auth = openAuth({ by });
    const email = freshEmail();
    await createUserWithEmailAndPassword(auth, email, PASSWORD);
    await sendPasswordResetEmail(auth, email);
    const { code } = await readMailedCode(email, 'PASSWORD_RESET');
    const passwords = ['the first password', 'the second password', 'the third password'];
    const resets = await Promise.allSettled(
      passwords.map((password) => confirmPasswordReset(auth, code, password)),
    );
    const won = passwords.filter((_password, index) => resets[index]?.status === 'fulfilled');
    expect(won).toHaveLength(1);
    for (const password of won) await signInWithEmailAndPassword(auth, email, password);
  });

  test('[S377] an invalid code, and an email address without an account, are rejected', async () => {
    const auth = openAuth({ by });
    await expect(verifyPasswordResetCode(auth, 'nonsense')).rejects.toMatchObject(INVALID_CODE);
    await expect(confirmPasswordReset(auth, 'nonsense', PASSWORD)).rejects.toMatchObject(INVALID_CODE);
    await expect(sendPasswordResetEmail(auth, freshEmail())).rejects.toMatchObject({
      code: 'auth/user-not-found',
    });
  });

  test('[S378] a code changes the email address, and another code reverts the change', async () => {
    const [auth, elsewhere] = [openAuth({ by }), openAuth({ by })];
    const [email, later] = [freshEmail(), freshEmail()];
    const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    await verifyBeforeUpdateEmail(user, later);
    await user.reload();
    expect(user.email).toBe(email);
    const { code } = await readMailedCode(email, 'VERIFY_AND_CHANGE_EMAIL');
    expect(await checkActionCode(elsewhere, code)).toMatchObject({
      operation: ActionCodeOperation.VERIFY_AND_CHANGE_EMAIL,
      data: { email: later, previousEmail: email },
    });
    await applyActionCode(elsewhere, code);
    await expect(user.getIdToken(true)).rejects.toMatchObject({ code: 'auth/user-token-expired' });
    const changed = await signInWithEmailAndPassword(auth, later, PASSWORD);
    expect(changed.user).toMatchObject({ uid: user.uid, email: later, emailVerified: true });

    const recovery = await readMailedCode(email, 'RECOVER_EMAIL');
    expect(await checkActionCode(elsewhere, recovery.code)).toMatchObject({
      operation: ActionCodeOperation.RECOVER_EMAIL,
      data: { email },
    });
    await applyActionCode(elsewhere, recovery.code);
    await expect(changed.user.getIdToken(true)).rejects.toMatchObject({ code: 'auth/user-token-expired' });
    await sendPasswordResetEmail(elsewhere, email);
    const reset = await readMailedCode(email, 'PASSWORD_RESET');
    await confirmPasswordReset(elsewhere, reset.code, NEW_PASSWORD);
    const recovered = await signInWithEmailAndPassword(elsewhere, email, NEW_PASSWORD);
    expect(recovered.user).toMatchObject({ uid: user.uid, email });
  });
});

test('[S377] with email enumeration protection, requesting a mail to an unknown email address succeeds and sends no mail', async () => {
  const server = await openOwnServer();
  const privacy = { emailPrivacyConfig: { enableImprovedEmailPrivacy: true } };
  await changeAuthConfig(server.url, privacy, 'emailPrivacyConfig');
  const auth = openAuth({ url: server.url });
  const [email, unknown] = [freshEmail(), freshEmail()];
  await createUserWithEmailAndPassword(auth, email, PASSWORD);
  await sendPasswordResetEmail(auth, email);
  await sendPasswordResetEmail(auth, unknown);
  expect(await readMailedCodes(email, server.url)).toHaveLength(1);
  expect(await readMailedCodes(unknown, server.url)).toEqual([]);
});
