import { emptyAccount } from '../accounts/account.ts';
import { newUid, parseDisplayName } from '../accounts/field-parsers.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { signIn } from '../sign-in/complete-sign-in.ts';
import { createHandover } from '../sign-in/handover.ts';
import { readRegistrationResponse, verifyRegistration } from './authenticator-response.ts';
import { handleFor, spendChallenge, verifyChallenge } from './challenge.ts';
import { parsePasskeyName, withPasskey } from './new-passkey.ts';
import { creationOptionsJson } from './options.ts';
import { claimsOfPasskey } from './policy.ts';
import { relyingPartyOf } from './relying-party.ts';

const SIGN_UP = { kind: 'sign-up' } as const;

/**
 * Starts to create an account whose only sign-in method is a passkey. It has no email address: a user who wants one
 * signs in by a link in a mail and then adds a passkey.
 */
export async function startPasskeySignUp(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  requireSignUpOffered(call);
  services.throttle.requirePasskeyAllowed(call);
  if (call.fields.filled('email') !== undefined)
    throw new AuthApiError(
      'UNVERIFIED_EMAIL',
      'Sign in by a link to the address first, and then add a passkey to the account.',
    );
  const displayName = parseDisplayName(call.fields.text('displayName') ?? '');
  return creationOptionsJson(call, services, SIGN_UP, {
    email: null,
    phoneNumber: null,
    displayName,
    passkeys: [],
  });
}

/** Creates the account after the browser has created the passkey. */
export async function finishPasskeySignUp(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { clock, passkeys } = services;
  const key = passkeys.challengeKey;
  const { fields } = call;
  // Without a token, the request can only be about a new account.
  if (!fields.has('authenticatorRegistrationResponse')) throw new AuthApiError('MISSING_ID_TOKEN');
  const given = readRegistrationResponse(fields);
  services.throttle.requirePasskeyAllowed(call);
  const challenge = verifyChallenge(given.challenge, { key, call, purpose: SIGN_UP }, clock.nowMs());
  requireSignUpOffered(call);
  const credential = await verifyRegistration(given, challenge, relyingPartyOf(call, services));
  const name = parsePasskeyName(fields, credential.aaguid);
  const displayName = parseDisplayName(fields.text('displayName') ?? '');
  services.throttle.requireSignUpAllowed(call);
  const uid = newUid(services.randomBytes);
  const answer = await signIn(
    call,
    services,
    (records, nowMs) => {
      spendChallenge(records, challenge, nowMs);
      const handle = handleFor(SIGN_UP, challenge);
      const account = { ...emptyAccount(uid, nowMs), displayName };
      return {
        before: undefined,
        account: withPasskey(account, credential, { name, handle, nowMs }),
        signInClaims: claimsOfPasskey(credential.credentialId, credential.isUserVerified),
        needsSecondFactor: false,
      };
    },
    () => ({ localId: uid, isNewUser: true }),
    (records, session, nowMs) => ({ customToken: createHandover(records, call, services, session, nowMs) }),
  );
  recordAudit(services, call, 'passkey_added', uid, { detail: name });
  return answer;
}

function requireSignUpOffered({ project }: AuthRequest): void {
  if (!project.settings.isSignUpEnabled) throw new AuthApiError('ADMIN_ONLY_OPERATION');
}
