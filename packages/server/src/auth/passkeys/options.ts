import type { Account } from '../accounts/account.ts';
import type { JsonObject } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import { ALGORITHMS } from './authenticator-response.ts';
import { CHALLENGE_MS, type ChallengePurpose, createChallenge, handleFor, randomOf } from './challenge.ts';
import type { Passkey } from './passkey.ts';
import { relyingPartyOf } from './relying-party.ts';

/** Shown by the authenticator if the account has neither an address nor a phone number nor a name. */
const NAMELESS = 'Anonymous';

/** The user for whom an authenticator creates a passkey. */
export type PasskeyUser = Pick<Account, 'email' | 'phoneNumber' | 'displayName' | 'passkeys'>;

/**
 * Returns the response that starts the creation of a passkey: the options for the browser, in the JSON form of
 * WebAuthn level 3. They are sent under both names that clients know.
 */
export function creationOptionsJson(
  call: AuthRequest,
  services: AuthServices,
  purpose: ChallengePurpose,
  { email, phoneNumber, displayName, passkeys }: PasskeyUser,
): JsonObject {
  const { challenge, id } = prepare(call, services, purpose);
  const { settings } = call.project;
  const name = email ?? phoneNumber ?? displayName ?? NAMELESS;
  const options = {
    rp: { id, name: settings.mail.appName ?? call.project.id },
    user: {
      id: handleFor(purpose, { random: randomOf(challenge) }),
      name,
      displayName: displayName ?? name,
    },
    challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_MS,
    attestation: 'none',
    excludeCredentials: passkeys.map(descriptorJson),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'preferred',
    },
    hints: [],
    extensions: { credProps: true },
  };
  return { credentialCreationOptions: options, options };
}

/**
 * Returns the response that starts a sign-in: the options for the browser, as `creationOptionsJson` does. `allowed`
 * are the passkeys of the account that signs in again; `undefined` if any account may sign in.
 */
export function requestOptionsJson(
  call: AuthRequest,
  services: AuthServices,
  purpose: ChallengePurpose,
  allowed: readonly Passkey[] | undefined,
): JsonObject {
  const { challenge, id } = prepare(call, services, purpose);
  const options = {
    challenge,
    rpId: id,
    ...(allowed === undefined ? {} : { allowCredentials: allowed.map(descriptorJson) }),
    timeout: CHALLENGE_MS,
    userVerification:
      call.project.settings.passkeys.userVerification === 'REQUIRED' ? 'required' : 'preferred',
  };
  return { credentialRequestOptions: options, options };
}

function prepare(
  call: AuthRequest,
  services: AuthServices,
  purpose: ChallengePurpose,
): { readonly challenge: string; readonly id: string } {
  const { passkeys, randomBytes, clock } = services;
  const key = passkeys.challengeKey;
  return {
    challenge: createChallenge({ key, call, purpose }, randomBytes, clock.nowMs()),
    id: relyingPartyOf(call, services).id,
  };
}

function descriptorJson({ credentialId, transports }: Passkey): JsonObject {
  return {
    type: 'public-key',
    id: credentialId,
    ...(transports.length === 0 ? {} : { transports }),
  };
}
