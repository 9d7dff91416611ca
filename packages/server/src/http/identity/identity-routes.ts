import { createAuthUri } from '../../accounts/methods/create-auth-uri.ts';
import { createSessionCookie } from '../../accounts/methods/create-session-cookie.ts';
import { deleteAccount } from '../../accounts/methods/delete-account.ts';
import { lookup } from '../../accounts/methods/lookup.ts';
import { refresh } from '../../accounts/methods/refresh.ts';
import { resetPassword } from '../../accounts/methods/reset-password.ts';
import { sendOobCode } from '../../accounts/methods/send-oob-code.ts';
import { signInWithCustomToken } from '../../accounts/methods/sign-in-with-custom-token.ts';
import { signInWithEmailLink } from '../../accounts/methods/sign-in-with-email-link.ts';
import { signInWithPassword } from '../../accounts/methods/sign-in-with-password.ts';
import { signUp } from '../../accounts/methods/sign-up.ts';
import { update } from '../../accounts/methods/update.ts';
import { ADMIN_ROUTES } from './admin-routes.ts';
import { CONFIG_ROUTES } from './config-routes.ts';
import { EMULATOR_ROUTES } from './emulator-routes.ts';
import type { IdentityRoute } from './identity-route.ts';
import { PUBLIC_ROUTES } from './public-routes.ts';
import { SECOND_FACTOR_ROUTES } from './second-factor-routes.ts';
import { UNOFFERED_ROUTES } from './unoffered-routes.ts';

const PROJECT = '/v1/projects/{project}';

/** The interface of identity. */
export const IDENTITY_ROUTES: readonly IdentityRoute[] = [
  { method: 'POST', path: '/v1/accounts:signUp', audience: 'anyone', run: signUp },
  { method: 'POST', path: `${PROJECT}/accounts`, audience: 'admin', run: signUp },
  { method: 'POST', path: '/v1/accounts:signInWithPassword', audience: 'anyone', run: signInWithPassword },
  { method: 'POST', path: '/v1/accounts:lookup', audience: 'anyone', run: lookup },
  {
    method: 'POST',
    path: `${PROJECT}/accounts:lookup`,
    audience: 'admin',
    role: 'identity.viewer',
    run: lookup,
  },
  { method: 'POST', path: '/v1/token', audience: 'anyone', run: refresh },
  { method: 'POST', path: '/v1/accounts:update', audience: 'anyone', run: update },
  { method: 'POST', path: `${PROJECT}/accounts:update`, audience: 'admin', run: update },
  { method: 'POST', path: '/v1/accounts:delete', audience: 'anyone', run: deleteAccount },
  { method: 'POST', path: `${PROJECT}/accounts:delete`, audience: 'admin', run: deleteAccount },
  {
    method: 'POST',
    path: '/v1/accounts:signInWithCustomToken',
    audience: 'anyone',
    run: signInWithCustomToken,
  },
  { method: 'POST', path: '/v1/accounts:createAuthUri', audience: 'anyone', run: createAuthUri },
  { method: 'POST', path: `${PROJECT}:createSessionCookie`, audience: 'admin', run: createSessionCookie },
  ...ADMIN_ROUTES,
  { method: 'POST', path: '/v1/accounts:sendOobCode', audience: 'anyone', run: sendOobCode },
  { method: 'POST', path: `${PROJECT}/accounts:sendOobCode`, audience: 'admin', run: sendOobCode },
  { method: 'POST', path: '/v1/accounts:resetPassword', audience: 'anyone', run: resetPassword },
  { method: 'POST', path: '/v1/accounts:signInWithEmailLink', audience: 'anyone', run: signInWithEmailLink },
  ...CONFIG_ROUTES,
  ...PUBLIC_ROUTES,
  ...SECOND_FACTOR_ROUTES,
  ...UNOFFERED_ROUTES,
];

/** With what the emulators have beside it. */
export const DEVELOPMENT_ROUTES: readonly IdentityRoute[] = [...IDENTITY_ROUTES, ...EMULATOR_ROUTES];

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
