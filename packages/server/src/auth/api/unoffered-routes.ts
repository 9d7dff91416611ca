import type { AuthHandler } from '../services.ts';
import { rejectIosClient, rejectSamlResponse, rejectUnoffered, signOut } from '../sign-in/providers.ts';
import type { MethodRoute } from './router.ts';

const METHODS: Readonly<Record<string, AuthHandler>> = {
  '/v1/accounts:signInWithGameCenter': rejectUnoffered,
  '/v1/accounts:verifyIosClient': rejectIosClient,
  '/v1/accounts:issueSamlResponse': rejectSamlResponse,
  '/v1/accounts:signOut': signOut,
};

/** Routes of methods that clients know and this server does not implement. All except `signOut` return an error. */
export const UNOFFERED_ROUTES: readonly MethodRoute[] = Object.entries(METHODS).map(([path, run]) => ({
  method: 'POST',
  path,
  audience: 'anyone',
  run,
}));
