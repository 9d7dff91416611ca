import type { JsonObject } from '../fields.ts';
import { IdentityError } from '../identity-error.ts';
import { providerNotEnabled } from '../other-providers.ts';

/** Signing in by phone, passkey, game or another provider: as where a project has not enabled it. */
export async function refuseUnoffered(): Promise<JsonObject> {
  throw providerNotEnabled();
}

/** `accounts:verifyIosClient`: clients then fall back to a challenge in the browser. */
export async function refuseIosClient(): Promise<JsonObject> {
  throw new IdentityError('APP_NOT_VERIFIED');
}

/** `accounts:issueSamlResponse`. */
export async function refuseSamlResponse(): Promise<JsonObject> {
  throw new IdentityError('NOT_IMPLEMENTED');
}

/** `signOutUser` of the old interface, which has ended nothing for long. */
export async function signOut(): Promise<JsonObject> {
  return {};
}
