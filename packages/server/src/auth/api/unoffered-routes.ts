import { AuthApiError } from '../errors.ts';
import type { AuthHandler } from '../services.ts';
import { rejectIosClient, rejectSamlResponse, rejectUnoffered, signOut } from '../sign-in/providers.ts';
import type { MethodRoute } from './router.ts';

const METHODS: Readonly<Record<string, AuthHandler>> = {
  '/v1/accounts:signInWithGameCenter': rejectUnoffered,
  '/v2/accounts:revokeToken': rejectUnoffered,
  '/v1/accounts:verifyIosClient': rejectIosClient,
  '/v1/accounts:issueSamlResponse': rejectSamlResponse,
  '/v1/accounts:signOut': signOut,
};

const APP_ROUTES: readonly MethodRoute[] = Object.entries(METHODS).map(([path, run]) => ({
  method: 'POST',
  path,
  audience: 'anyone',
  run,
}));

const HTTP_METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;
const TENANT = '/projects/{project}/tenants/{tenant}';
const TENANTS = 'This server has no tenants.';

/** The error sentences for resources that `firebase-admin` manages and this server does not have, by path. */
const RESOURCES: Readonly<Record<string, string>> = {
  '/v2/projects/{project}/tenants': TENANTS,
  [`/v1${TENANT}`]: TENANTS,
  [`/v1${TENANT}/{resource}`]: TENANTS,
  [`/v1${TENANT}/{resource}/{name}`]: TENANTS,
  [`/v2${TENANT}`]: TENANTS,
  [`/v2${TENANT}/{resource}`]: TENANTS,
  [`/v2${TENANT}/{resource}/{name}`]: TENANTS,
};

const ADMIN_ROUTES: readonly MethodRoute[] = Object.entries(RESOURCES).flatMap(([path, sentence]) =>
  HTTP_METHODS.map(
    (method): MethodRoute => ({
      method,
      path,
      audience: 'admin',
      role: 'identity.viewer',
      run: async () => {
        throw new AuthApiError('OPERATION_NOT_ALLOWED', sentence);
      },
    }),
  ),
);

/** Routes of methods that clients know and this server does not implement. All except `signOut` return an error. */
export const UNOFFERED_ROUTES: readonly MethodRoute[] = [...APP_ROUTES, ...ADMIN_ROUTES];
