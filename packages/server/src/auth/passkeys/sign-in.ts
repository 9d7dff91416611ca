import type { RecordView } from '../../records/store.ts';
import type { Account } from '../accounts/account.ts';
import { accountRecords, findAccountByPasskey } from '../accounts/account-store.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import { signIn } from '../sign-in/complete-sign-in.ts';
import { readCurrentUser } from '../sign-in/current-user.ts';
import { createHandover } from '../sign-in/handover.ts';
import {
  type AssertionResponse,
  invalidResponse,
  readAssertionResponse,
  type VerifiedAssertion,
  verifyAssertion,
} from './authenticator-response.ts';
import { type ChallengePurpose, spendChallenge, verifyChallenge } from './challenge.ts';
import { requestOptionsJson } from './options.ts';
import type { Passkey } from './passkey.ts';
import { claimsOfPasskey, requirePasskeysOffered } from './policy.ts';
import { relyingPartyOf } from './relying-party.ts';

/**
 * `passkeySignIn:start`: returns the options with which the browser asks for a passkey. With an ID token, only the
 * passkeys of its account can be used.
 */
export async function startPasskeySignIn(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  requirePasskeysOffered(call);
  services.throttle.requirePasskeyAllowed(call);
  const account = await findCurrent(call, services);
  return requestOptionsJson(call, services, purposeFor(account), account?.passkeys);
}

/** Returns the account that signs in again; `undefined` if the request has no ID token. */
async function findCurrent(call: AuthRequest, services: AuthServices): Promise<Account | undefined> {
  return call.fields.has('idToken') ? (await readCurrentUser(call, services)).account : undefined;
}

function purposeFor(account: Account | undefined): ChallengePurpose {
  return account === undefined ? { kind: 'sign-in' } : { kind: 'sign-in-again', uid: account.uid };
}

/** A passkey and the account to which it belongs. */
interface OwnedPasskey {
  readonly account: Account;
  readonly passkey: Passkey;
}

/**
 * `passkeySignIn:finalize`: signs in with a passkey. Returns tokens, and a custom token with which any SDK continues the
 * session.
 */
export async function finishPasskeySignIn(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  requirePasskeysOffered(call);
  services.throttle.requirePasskeyAllowed(call);
  const given = readAssertionResponse(call.fields);
  const { recordStore, clock, passkeys } = services;
  const key = passkeys.challengeKey;
  const purpose = purposeFor(await findCurrent(call, services));
  const challenge = verifyChallenge(given.challenge, { key, call, purpose }, clock.nowMs());
  const known = recordStore.read((view) =>
    requireOwned(view.records(accountRecords(call.project.scope)), given, purpose),
  );
  const party = relyingPartyOf(call, services);
  const { uid } = known.account;
  const proof = await verifyAssertion(given, challenge, party, known.passkey, uid);
  return signIn(
    call,
    services,
    (records, nowMs) => {
      const { account: before, passkey } = requireOwned(records, given, purpose);
      // The passkey was replaced in the meantime.
      if (before.uid !== uid || passkey.publicKey !== known.passkey.publicKey)
        throw new AuthApiError('PASSKEY_CREDENTIAL_NOT_FOUND');
      requireUnchanged(passkey, proof, uid);
      spendChallenge(records, challenge, nowMs);
      const { counter, isBackedUp, isUserVerified } = proof;
      const used = { ...passkey, counter, isBackedUp, lastUsedAtMs: nowMs };
      const account = {
        ...before,
        // Passkeys that were imported without a user handle get the one that their authenticator has stored.
        passkeyHandle: before.passkeyHandle ?? given.userHandle,
        passkeys: before.passkeys.map((one) => (one === passkey ? used : one)),
      };
      const signInClaims = claimsOfPasskey(passkey.credentialId, isUserVerified);
      return { before, account, signInClaims, needsSecondFactor: !isUserVerified };
    },
    ({ uid: localId }) => ({ localId }),
    (records, session, nowMs) => ({ customToken: createHandover(records, call, services, session, nowMs) }),
  );
}

/**
 * Returns the passkey with which an authenticator has signed. Throws `PASSKEY_CREDENTIAL_NOT_FOUND` if no account has
 * it, and `INVALID_AUTHENTICATOR_RESPONSE` if the authenticator stores it for another user than its owner.
 */
function requireOwned(
  records: RecordView,
  { credentialId, userHandle }: AssertionResponse,
  purpose: ChallengePurpose,
): OwnedPasskey {
  const account = findAccountByPasskey(records, credentialId);
  const passkey = account?.passkeys.find((one) => one.credentialId === credentialId);
  if (account === undefined || passkey === undefined) throw new AuthApiError('PASSKEY_CREDENTIAL_NOT_FOUND');
  const { uid, passkeyHandle } = account;
  const isNamed = purpose.kind === 'sign-in-again';
  if (isNamed && purpose.uid !== uid)
    throw new AuthApiError('PASSKEY_CREDENTIAL_NOT_FOUND', 'The passkey belongs to another account.', {
      uid,
    });
  if (userHandle === null ? !isNamed : passkeyHandle !== null && userHandle !== passkeyHandle)
    throw invalidResponse('The user handle is not that of the account of the passkey.', { uid });
  return { account, passkey };
}

/** Throws if the authenticator contradicts its earlier statements about a passkey, because it may be a copy. */
function requireUnchanged(
  passkey: Passkey,
  { counter, isBackupEligible }: VerifiedAssertion,
  uid: string,
): void {
  if ((counter > 0 || passkey.counter > 0) && counter <= passkey.counter)
    throw new AuthApiError(
      'INVALID_PASSKEY_COUNTER',
      'The counter of the authenticator went back: the passkey may have been copied.',
      { uid },
    );
  if (isBackupEligible !== passkey.isBackupEligible)
    throw invalidResponse('Whether the passkey can be copied to other devices has changed.', { uid });
}
