import {
  createUserWithEmailAndPassword,
  signInWithEmailAndPassword,
  updatePassword,
  validatePassword,
} from 'firebase/auth';
import { describe, expect, test } from 'vitest';
import { changeAuthConfig, freshEmail, openAuth } from '../drivers/auth.ts';
import type { JsonObject } from '../drivers/json.ts';
import { type OwnServerClient, openOwnServer } from '../drivers/test-bed-client.ts';

const STRICT: JsonObject = {
  minPasswordLength: 8,
  maxPasswordLength: 20,
  containsLowercaseCharacter: true,
  containsUppercaseCharacter: true,
  containsNumericCharacter: true,
  containsNonAlphanumericCharacter: true,
};

const VALID = 'Correct1horse!';

describe('The password policy of a project', () => {
  test('[S353] without a policy, passwords need six characters', async () => {
    const auth = openAuth();
    expect(await validatePassword(auth, 'sixsix')).toMatchObject({
      isValid: true,
      meetsMinPasswordLength: true,
      passwordPolicy: { customStrengthOptions: { minPasswordLength: 6 }, enforcementState: 'OFF' },
    });
    expect(await validatePassword(auth, 'short')).toMatchObject({
      isValid: false,
      meetsMinPasswordLength: false,
    });
  });

  test('[S353] `validatePassword` returns which requirements a password does not meet', async () => {
    const server = await openStrictServer();
    const auth = openAuth({ url: server.url });
    const good = {
      isValid: true,
      meetsMinPasswordLength: true,
      meetsMaxPasswordLength: true,
      containsLowercaseLetter: true,
      containsUppercaseLetter: true,
      containsNumericCharacter: true,
      containsNonAlphanumericCharacter: true,
    };
    const missing: readonly [string, object][] = [
      [VALID, {}],
      ['Short1!', { meetsMinPasswordLength: false }],
      [`${VALID}${VALID}`, { meetsMaxPasswordLength: false }],
      ['CORRECT1HORSE!', { containsLowercaseLetter: false }],
      ['correct1horse!', { containsUppercaseLetter: false }],
      ['Correcthorse!', { containsNumericCharacter: false }],
      ['Correct1horse', { containsNonAlphanumericCharacter: false }],
      ['', { ...allFalse(good), meetsMaxPasswordLength: true }],
    ];
    for (const [password, lack] of missing) {
      const { passwordPolicy, ...status } = await validatePassword(auth, password);
      expect(status, password).toEqual({ ...good, isValid: password === VALID, ...lack });
      expect(passwordPolicy).toMatchObject({
        enforcementState: 'ENFORCE',
        customStrengthOptions: {
          minPasswordLength: 8,
          maxPasswordLength: 20,
          containsLowercaseLetter: true,
          containsUppercaseLetter: true,
          containsNumericCharacter: true,
          containsNonAlphanumericCharacter: true,
        },
      });
    }
  });

  test('[S354] an enforced policy rejects new passwords, and accepts older ones for signing in', async () => {
    const server = await openOwnServer();
    const auth = openAuth({ url: server.url });
    const email = freshEmail();
    await createUserWithEmailAndPassword(auth, email, 'sixsix');
    await enforceStrictPolicy(server);
    const requestError = { code: 'auth/password-does-not-meet-requirements' };
    await expect(createUserWithEmailAndPassword(auth, freshEmail(), 'sixsix')).rejects.toMatchObject(
      requestError,
    );
    const { user } = await signInWithEmailAndPassword(auth, email, 'sixsix');
    await expect(updatePassword(user, 'sixsix')).rejects.toMatchObject(requestError);
    await updatePassword(user, VALID);
    await createUserWithEmailAndPassword(auth, freshEmail(), VALID);
  });
});

async function openStrictServer(): Promise<OwnServerClient> {
  const server = await openOwnServer();
  await enforceStrictPolicy(server);
  return server;
}

async function enforceStrictPolicy(server: OwnServerClient): Promise<void> {
  const policy = {
    passwordPolicyEnforcementState: 'ENFORCE',
    passwordPolicyVersions: [{ customStrengthOptions: STRICT }],
  };
  await changeAuthConfig(server.url, { passwordPolicyConfig: policy }, 'passwordPolicyConfig');
}

function allFalse(flags: object): object {
  return Object.fromEntries(Object.keys(flags).map((name) => [name, false]));
}
