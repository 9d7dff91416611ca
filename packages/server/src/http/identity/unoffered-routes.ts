import type { IdentityMethod } from '../../accounts/identity-method.ts';
import {
  refuseIosClient,
  refuseSamlResponse,
  refuseUnoffered,
  signOut,
} from '../../accounts/methods/unoffered-methods.ts';
import type { MethodRoute } from './identity-route.ts';

const METHODS: Readonly<Record<string, IdentityMethod>> = {
  '/v1/accounts:sendVerificationCode': refuseUnoffered,
  '/v1/accounts:signInWithPhoneNumber': refuseUnoffered,
  '/v1/accounts:signInWithIdp': refuseUnoffered,
  '/v1/accounts:signInWithGameCenter': refuseUnoffered,
  '/v2/accounts:revokeToken': refuseUnoffered,
  '/v2/accounts/passkeyEnrollment:start': refuseUnoffered,
  '/v2/accounts/passkeyEnrollment:finalize': refuseUnoffered,
  '/v2/accounts/passkeySignIn:start': refuseUnoffered,
  '/v2/accounts/passkeySignIn:finalize': refuseUnoffered,
  '/v1/accounts:verifyIosClient': refuseIosClient,
  '/v1/accounts:issueSamlResponse': refuseSamlResponse,
  '/v1/accounts:signOut': signOut,
};

/** Methods that clients know and that do nothing here, answered so that clients understand why. */
export const UNOFFERED_ROUTES: readonly MethodRoute[] = Object.entries(METHODS).map(([path, run]) => ({
  method: 'POST',
  path,
  audience: 'anyone',
  run,
}));
