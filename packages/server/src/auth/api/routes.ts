import { deleteAccount } from '../accounts/delete.ts';
import { sendOobCode } from '../codes/request.ts';
import { resetPassword } from '../codes/reset-password.ts';
import { sendVerificationCode } from '../phone/send-verification-code.ts';
import { signInWithPhoneNumber } from '../phone/sign-in-with-phone-number.ts';
import { signInWithCustomToken } from '../sign-in/custom-token.ts';
import { signInWithEmailLink } from '../sign-in/email-link.ts';
import { lookup } from '../sign-in/lookup.ts';
import { signInWithPassword } from '../sign-in/password.ts';
import { refresh } from '../sign-in/refresh.ts';
import { createSessionCookie } from '../sign-in/session-tokens.ts';
import { signUp } from '../sign-in/sign-up.ts';
import { update } from '../sign-in/update.ts';
import { ADMIN_ROUTES, EMULATOR_ROUTES, PUBLIC_ROUTES, SERVICE_ACCOUNT_ROUTES } from './admin-routes.ts';
import { CONFIG_ROUTES } from './config-routes.ts';
import { PROVIDER_ROUTES } from './provider-routes.ts';
import { type AuthApiRoute, FOR_CONSOLE } from './router.ts';
import { PASSKEY_ROUTES, SECOND_FACTOR_ROUTES } from './second-factor-routes.ts';
import { TENANT_ROUTES, withTenants } from './tenant-routes.ts';
import { UNOFFERED_ROUTES } from './unoffered-routes.ts';

const PROJECT = '/v1/projects/{project}';

/** The routes of the Auth API. */
export const AUTH_API_ROUTES: readonly AuthApiRoute[] = withTenants<AuthApiRoute>([
  { method: 'POST', path: '/v1/accounts:signUp', audience: 'anyone', run: signUp },
  { method: 'POST', path: `${PROJECT}/accounts`, audience: 'admin', run: signUp },
  { ...FOR_CONSOLE, method: 'POST', path: '/v1/accounts:signInWithPassword', run: signInWithPassword },
  { ...FOR_CONSOLE, method: 'POST', path: '/v1/accounts:lookup', run: lookup },
  {
    method: 'POST',
    path: `${PROJECT}/accounts:lookup`,
    audience: 'admin',
    role: 'identity.viewer',
    run: lookup,
  },
  { ...FOR_CONSOLE, method: 'POST', path: '/v1/token', run: refresh },
  { ...FOR_CONSOLE, method: 'POST', path: '/v1/accounts:update', run: update },
  { method: 'POST', path: `${PROJECT}/accounts:update`, audience: 'admin', run: update },
  { method: 'POST', path: '/v1/accounts:delete', audience: 'anyone', run: deleteAccount },
  { method: 'POST', path: `${PROJECT}/accounts:delete`, audience: 'admin', run: deleteAccount },
  {
    method: 'POST',
    path: '/v1/accounts:signInWithCustomToken',
    audience: 'anyone',
    run: signInWithCustomToken,
  },
  { method: 'POST', path: `${PROJECT}:createSessionCookie`, audience: 'admin', run: createSessionCookie },
  ...ADMIN_ROUTES,
  ...SERVICE_ACCOUNT_ROUTES,
  { ...FOR_CONSOLE, method: 'POST', path: '/v1/accounts:sendOobCode', run: sendOobCode },
  { method: 'POST', path: `${PROJECT}/accounts:sendOobCode`, audience: 'admin', run: sendOobCode },
  { ...FOR_CONSOLE, method: 'POST', path: '/v1/accounts:resetPassword', run: resetPassword },
  { method: 'POST', path: '/v1/accounts:signInWithEmailLink', audience: 'anyone', run: signInWithEmailLink },
  {
    method: 'POST',
    path: '/v1/accounts:sendVerificationCode',
    audience: 'anyone',
    run: sendVerificationCode,
  },
  {
    method: 'POST',
    path: '/v1/accounts:signInWithPhoneNumber',
    audience: 'anyone',
    run: signInWithPhoneNumber,
  },
  ...CONFIG_ROUTES,
  ...PUBLIC_ROUTES,
  ...SECOND_FACTOR_ROUTES,
  ...PROVIDER_ROUTES,
  ...PASSKEY_ROUTES,
  ...TENANT_ROUTES,
  ...UNOFFERED_ROUTES,
]);

/** The routes in development mode, including those of the emulators. */
export const DEVELOPMENT_ROUTES: readonly AuthApiRoute[] = [
  ...AUTH_API_ROUTES,
  ...withTenants(EMULATOR_ROUTES),
];

/** Method names of the previous API, which some clients still use below `/identitytoolkit/v3/relyingparty/`. */
const LEGACY_PATHS: Readonly<Record<string, string>> = {
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

/** Hosts of the official services, which clients put before the path when they are configured for an emulator. */
const PREFIX =
  /^\/(?:identitytoolkit|securetoken|www|oauth2|iamcredentials|(?:content-)?firebaseappcheck)\.googleapis\.com(?=\/)/;
const LEGACY = /^\/identitytoolkit\/v3\/relyingparty\/(\w+)$/;
/** Paths where keys are published, access tokens are issued, and App Check tokens are used up. */
const PROJECTLESS =
  /^\/(?:token$|v1beta\/projects\/[^/]+:verifyAppCheckToken$|robot\/v1\/metadata\/x509\/|service_accounts\/v1\/jwk\/|\.well-known\/(?:jwks\.json|webauthn|assetlinks\.json|apple-app-site-association)$|[^/]+\/\.well-known\/openid-configuration$)/;
const KNOWN = /^\/(?:v1|v2|admin\/v2|emulator\/v1|identitytoolkit\/v3)\/(?!.*\.json$)/;

/** Paths of routes without parameters. Most requests use these. */
const FIXED: ReadonlySet<string> = new Set(
  DEVELOPMENT_ROUTES.map(({ path }) => path).filter((path) => !path.includes('{')),
);

/**
 * Returns the path of the route for the URL of a request to the Auth API: without the query and the prefixes that
 * clients add, and with the current name of a legacy method. Returns `undefined` for other requests.
 */
export function authApiPathOf(url: string): string | undefined {
  const mark = url.indexOf('?');
  const pathname = mark === -1 ? url : url.slice(0, mark);
  if (FIXED.has(pathname)) return pathname;
  const path = pathname.replace(PREFIX, '');
  const legacy = LEGACY.exec(path)?.[1];
  if (legacy !== undefined && Object.hasOwn(LEGACY_PATHS, legacy)) return LEGACY_PATHS[legacy];
  if (path !== pathname || KNOWN.test(path) || PROJECTLESS.test(path))
    return path.replace(/^\/admin\/v2\//, '/v2/');
  return undefined;
}
