import { expect, test } from 'vitest';
import { countAppFactors, toFile, toRequest } from './account-file.ts';

test('[C201] an exported account is converted for an import, without its authenticator apps', () => {
  const account = {
    localId: 'a',
    email: 'ada@example.com',
    createdAt: '1',
    lastLoginAt: '2',
    passwordHash: 'a-_b',
    salt: 'c_',
    hashParametersId: 'x',
    providerUserInfo: [
      { providerId: 'password', rawId: 'ada@example.com' },
      { providerId: 'google.com', rawId: '7' },
    ],
    mfaInfo: [{ mfaEnrollmentId: 'm', totpInfo: {} }],
    passkeyInfo: [{ credentialId: 'k', publicKey: 'p' }],
    passkeyUserHandle: 'h',
  };
  const inFile = toFile(account);
  expect(inFile).toEqual({
    localId: 'a',
    email: 'ada@example.com',
    createdAt: '1',
    lastSignedInAt: '2',
    passwordHash: 'a+/b',
    salt: 'c/==',
    hashParametersId: 'x',
    providerUserInfo: [{ providerId: 'google.com', rawId: '7' }],
    mfaInfo: [{ mfaEnrollmentId: 'm', totpInfo: {} }],
    passkeyInfo: [{ credentialId: 'k', publicKey: 'p' }],
    passkeyUserHandle: 'h',
  });
  expect(countAppFactors(inFile)).toBe(1);
  expect(toRequest(inFile)).toMatchObject({ lastLoginAt: '2', mfaInfo: [] });
});

test('[C201] a redacted hash is not exported', () => {
  expect(toFile({ localId: 'a', createdAt: '1', passwordHash: 'UkVEQUNURUQ=' })).toEqual({
    localId: 'a',
    createdAt: '1',
  });
});

test('[C201] a passkey without its public key is not exported', () => {
  expect(toFile({ localId: 'a', passkeyInfo: [{ credentialId: 'k' }], passkeyUserHandle: 'h' })).toEqual({
    localId: 'a',
  });
});
