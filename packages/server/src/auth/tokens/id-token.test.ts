import { expect, test } from 'vitest';
import { findVerifiedToken, ID_TOKEN_LIFETIME_SEC, type IdTokenSubject, idTokenClaims } from './id-token.ts';

const SUBJECT: IdTokenSubject = {
  projectId: 'demo',
  tenantId: undefined,
  uid: 'jack',
  email: 'jack@example.com',
  isEmailVerified: false,
  phoneNumber: '+15550100',
  displayName: 'Jack',
  photoUrl: 'https://example.com/jack.png',
  identities: { 'google.com': ['123'] },
  signInProvider: 'password',
  secondFactor: undefined,
  signInAttributes: undefined,
  customClaims: {},
  sessionClaims: {},
  authTimeSec: 900,
};

const ANONYMOUS = {
  email: undefined,
  phoneNumber: undefined,
  displayName: undefined,
  photoUrl: undefined,
  identities: {},
};

function claimsOf(change: Partial<IdTokenSubject>): unknown {
  return JSON.parse(JSON.stringify(idTokenClaims({ ...SUBJECT, ...change }, 1_000)));
}

test('[I94] an ID token contains the project, the user and the sign-in', () => {
  expect(claimsOf({})).toEqual({
    iss: 'https://securetoken.google.com/demo',
    aud: 'demo',
    sub: 'jack',
    user_id: 'jack',
    auth_time: 900,
    iat: 1_000,
    exp: 1_000 + ID_TOKEN_LIFETIME_SEC,
    email: 'jack@example.com',
    email_verified: false,
    phone_number: '+15550100',
    name: 'Jack',
    picture: 'https://example.com/jack.png',
    firebase: {
      identities: { email: ['jack@example.com'], phone: ['+15550100'], 'google.com': ['123'] },
      sign_in_provider: 'password',
    },
  });
  expect(ID_TOKEN_LIFETIME_SEC).toBe(3_600);
});

test('[I94] values that the account does not have are omitted', () => {
  expect(claimsOf({ ...ANONYMOUS, signInProvider: 'anonymous' })).toEqual({
    iss: 'https://securetoken.google.com/demo',
    aud: 'demo',
    sub: 'jack',
    user_id: 'jack',
    auth_time: 900,
    iat: 1_000,
    exp: 4_600,
    provider_id: 'anonymous',
    firebase: { identities: {}, sign_in_provider: 'anonymous' },
  });
});

test('[I94] the claim "firebase" contains the second factor and the tenant', () => {
  const claims = idTokenClaims(
    { ...SUBJECT, tenantId: 'acme', secondFactor: { kind: 'totp', enrollmentId: 'mfa1' } },
    1_000,
  );
  expect(claims['firebase']).toMatchObject({
    sign_in_second_factor: 'totp',
    second_factor_identifier: 'mfa1',
    tenant: 'acme',
  });
  expect(findVerifiedToken(claims)).toMatchObject({
    uid: 'jack',
    tenantId: 'acme',
    signInProvider: 'password',
    secondFactor: { kind: 'totp', enrollmentId: 'mfa1' },
    issuedAtSec: 1_000,
    expiresAtSec: 4_600,
    authTimeSec: 900,
  });
});

test('[I95] claims of the session override those of the account', () => {
  expect(
    claimsOf({ customClaims: { role: 'reader', level: 1 }, sessionClaims: { role: 'writer', name: 'J.' } }),
  ).toMatchObject({ role: 'writer', level: 1, name: 'J.' });
});

test.each([
  'iss',
  'aud',
  'sub',
  'iat',
  'exp',
  'auth_time',
  'firebase',
  'user_id',
  'email',
  'email_verified',
  'phone_number',
])('[I95] no custom claim replaces %s', (name) => {
  expect(claimsOf({ customClaims: { [name]: 'forged' }, sessionClaims: { [name]: 'forged' } })).toEqual(
    claimsOf({}),
  );
});

test.each(['email', 'email_verified', 'phone_number', 'provider_id', 'nbf', 'jti', 'acr', 'cnf'])(
  '[I95] no custom claim adds %s, which the account does not have',
  (name) => {
    expect(claimsOf({ ...ANONYMOUS, customClaims: { [name]: 'forged' } })).toEqual(claimsOf(ANONYMOUS));
  },
);

test.each([[{}], [{ sub: '' }], [{ sub: 7 }], [{ sub: 'x'.repeat(129) }]])(
  '[I97] claims such as %j name no user',
  (claims) => {
    expect(findVerifiedToken(claims)).toBeUndefined();
  },
);
