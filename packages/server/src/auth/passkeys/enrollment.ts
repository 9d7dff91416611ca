import { type Account, isAnonymous, nextValidSinceOf } from '../accounts/account.ts';
import { accountRecords, saveAccount } from '../accounts/account-store.ts';
import { mailNotice } from '../codes/mails.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { readCurrentUser, requireCurrentUser, requireVerifiedToken } from '../sign-in/current-user.ts';
import { createHandover } from '../sign-in/handover.ts';
import { endSessions, startSession } from '../sign-in/session-store.ts';
import { tokensOfSession } from '../sign-in/session-tokens.ts';
import { readRegistrationResponse, verifyRegistration } from './authenticator-response.ts';
import { type ChallengePurpose, handleFor, spendChallenge, verifyChallenge } from './challenge.ts';
import { parsePasskeyName, withPasskey } from './new-passkey.ts';
import { creationOptionsJson } from './options.ts';
import { claimsOfPasskey, requirePasskeyAllowed, requirePasskeysOffered } from './policy.ts';
import { relyingPartyOf } from './relying-party.ts';
import { finishPasskeySignUp, startPasskeySignUp } from './sign-up.ts';

/**
 * `passkeyEnrollment:start`: returns the options with which the browser creates a passkey for the signed-in user, or,
 * with `signUp`, for a new account.
 */
export async function startPasskeyEnrollment(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  requirePasskeysOffered(call);
  if (call.fields.flag('signUp') === true && !call.fields.has('idToken'))
    return startPasskeySignUp(call, services);
  const { token, account } = await readCurrentUser(call, services);
  services.throttle.requireProfileUpdateAllowed(call, account.uid);
  services.recordStore.read((view) =>
    requirePasskeyAllowed(view, call, account, token, services.clock.nowMs()),
  );
  return creationOptionsJson(call, services, enrollmentOf(account), account);
}

function enrollmentOf({ uid, passkeyHandle }: Account): ChallengePurpose {
  return { kind: 'enrollment', uid, handle: passkeyHandle ?? '' };
}

/**
 * `passkeyEnrollment:finalize`: adds the passkey that the browser has created. Returns tokens of a new session that
 * began with the passkey, and a custom token with which any SDK continues that session.
 */
export async function finishPasskeyEnrollment(
  call: AuthRequest,
  services: AuthServices,
): Promise<JsonObject> {
  requirePasskeysOffered(call);
  if (!call.fields.has('idToken')) return finishPasskeySignUp(call, services);
  const { recordStore, clock, passkeys } = services;
  const key = passkeys.challengeKey;
  const { project, fields } = call;
  const token = await requireVerifiedToken(call, services);
  const given = readRegistrationResponse(fields);
  const recordsName = accountRecords(project.scope);
  const known = recordStore.read((view) => requireCurrentUser(view.records(recordsName), token));
  services.throttle.requireProfileUpdateAllowed(call, known.uid);
  const purpose = enrollmentOf(known);
  const challenge = verifyChallenge(given.challenge, { key, call, purpose }, clock.nowMs());
  const credential = await verifyRegistration(given, challenge, relyingPartyOf(call, services), known.uid);
  const name = parsePasskeyName(fields, credential.aaguid);
  const { account, session, customToken } = await recordStore.change((transaction) => {
    const { nowMs } = transaction;
    const records = transaction.records(recordsName);
    const before = requireCurrentUser(records, token);
    requirePasskeyAllowed(transaction, call, before, token, nowMs);
    // Another passkey was added in the meantime, with another user handle.
    if (before.passkeyHandle !== known.passkeyHandle) throw new AuthApiError('INVALID_SESSION_INFO');
    spendChallenge(records, challenge, nowMs);
    const after = {
      ...withPasskey(before, credential, { name, handle: handleFor(purpose, challenge), nowMs }),
      ...(isAnonymous(before) ? { validSinceSec: nextValidSinceOf(before, token, nowMs) } : {}),
    };
    saveAccount(records, before, after);
    // Sessions from before the passkey, which others may have, must not gain access to what the passkey protects.
    if (isAnonymous(before)) endSessions(records, after.uid);
    mailNotice(transaction, call, services, after, 'passkeyAdded');
    const claims = claimsOfPasskey(credential.credentialId, credential.isUserVerified);
    const started = startSession(records, call, services, after.uid, claims, nowMs);
    return {
      account: after,
      session: started,
      customToken: createHandover(records, call, services, started, nowMs),
    };
  });
  recordAudit(services, call, 'passkey_added', account.uid, { detail: name });
  const tokens = await tokensOfSession(services, project, account, session);
  return { localId: account.uid, ...tokens, customToken };
}
