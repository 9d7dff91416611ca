import { lookup } from '../../accounts/methods/lookup.ts';
import { refresh } from '../../accounts/methods/refresh.ts';
import { signInWithPassword } from '../../accounts/methods/sign-in-with-password.ts';
import { signUp } from '../../accounts/methods/sign-up.ts';
import type { IdentityRoute } from './identity-route.ts';

const PROJECT = '/v1/projects/{project}';

/** The interface of identity. */
export const IDENTITY_ROUTES: readonly IdentityRoute[] = [
  { method: 'POST', path: '/v1/accounts:signUp', audience: 'anyone', run: signUp },
  { method: 'POST', path: `${PROJECT}/accounts`, audience: 'admin', run: signUp },
  { method: 'POST', path: '/v1/accounts:signInWithPassword', audience: 'anyone', run: signInWithPassword },
  { method: 'POST', path: '/v1/accounts:lookup', audience: 'anyone', run: lookup },
  { method: 'POST', path: `${PROJECT}/accounts:lookup`, audience: 'admin', run: lookup },
  { method: 'POST', path: '/v1/token', audience: 'anyone', run: refresh },
];

/** Names of the interface before this one, which some clients still use, below `/identitytoolkit/v3/relyingparty/`. */
export const LEGACY_PATHS: Readonly<Record<string, string>> = {
  createAuthUri: '/v1/accounts:createAuthUri',
  deleteAccount: '/v1/accounts:delete',
  emailLinkSignin: '/v1/accounts:signInWithEmailLink',
  getAccountInfo: '/v1/accounts:lookup',
  getOobConfirmationCode: '/v1/accounts:sendOobCode',
  getProjectConfig: '/v1/projects',
  getRecaptchaParam: '/v1/recaptchaParams',
  resetPassword: '/v1/accounts:resetPassword',
  sendVerificationCode: '/v1/accounts:sendVerificationCode',
  setAccountInfo: '/v1/accounts:update',
  signupNewUser: '/v1/accounts:signUp',
  verifyAssertion: '/v1/accounts:signInWithIdp',
  verifyCustomToken: '/v1/accounts:signInWithCustomToken',
  verifyPassword: '/v1/accounts:signInWithPassword',
  verifyPhoneNumber: '/v1/accounts:signInWithPhoneNumber',
  verifyClient: '/v1/accounts:verifyIosClient',
  downloadAccount: '/v1/accounts:batchGet',
  uploadAccount: '/v1/accounts:batchCreate',
  signOutUser: '/v1/accounts:signOut',
};
