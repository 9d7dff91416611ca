import { expect, test } from 'vitest';
import { readAccounts, toFile, toRequest } from './account-file.ts';

async function read(text: string) {
  const reader = readAccounts(new Blob([text]), () => {});
  const accounts: unknown[] = [];
  for (;;) {
    const step = await reader.next();
    if (step.done === true) return { accounts, head: step.value };
    accounts.push(step.value);
  }
}

test('[C200] the accounts of a file are read with their hash parameters', async () => {
  const text =
    '{"users": [{"localId":"a"},\n{"localId":"b}"}],"hashParameters":{"x":{"hashAlgorithm":"BCRYPT"}}}';
  expect(await read(text)).toEqual({
    accounts: [{ localId: 'a' }, { localId: 'b}' }],
    head: { hashParameters: { x: { hashAlgorithm: 'BCRYPT' } } },
  });
});

test.each([
  ['{"users": [{"localId":}]}', 'Account 1 in the file is not a valid JSON object'],
  ['{"users": [{"localId":"a"}', 'The JSON file is incomplete'],
  ['[]', 'The file must be an object with a list "users".'],
  ['localId,email', 'The JSON file is incomplete'],
])('[C200] an invalid file is rejected: %s', async (text, sentence) => {
  await expect(read(text)).rejects.toThrow(sentence);
});

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
  };
  const inFile = toFile(account);
  expect(inFile).toEqual({
    localId: 'a',
    email: 'ada@example.com',
    createdAt: '1',
    lastSignedInAt: '2',
    passwordHash: 'a+/b',
    salt: 'c/',
    hashParametersId: 'x',
    providerUserInfo: [{ providerId: 'google.com', rawId: '7' }],
    mfaInfo: [{ mfaEnrollmentId: 'm', totpInfo: {} }],
  });
  expect(toRequest(inFile)).toMatchObject({ lastLoginAt: '2', mfaInfo: [] });
});

test('[C201] a redacted hash is not exported', () => {
  expect(toFile({ localId: 'a', createdAt: '1', passwordHash: 'UkVEQUNURUQ=' })).toEqual({
    localId: 'a',
    createdAt: '1',
  });
});
