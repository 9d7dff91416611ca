import type { RecordStoreTransaction, RecordTransaction } from '../../records/store.ts';
import {
  type Account,
  emptyAccount,
  isAnonymous,
  nextValidSince,
  nextValidSinceOf,
} from '../accounts/account.ts';
import { accountRecords, findAccountByEmail, findAccountByIdentity } from '../accounts/account-store.ts';
import { newUid } from '../accounts/field-parsers.ts';
import { voidUnprovenRecoveries, withoutUnproven } from '../codes/apply.ts';
import { AuthApiError, type AuthErrorCode } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import { isMember } from '../roles/member-store.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { type PrimaryCredential, signIn, type Unidentified } from '../sign-in/complete-sign-in.ts';
import { requireCurrentUser, requireRecentSignIn } from '../sign-in/current-user.ts';
import { claimsForProvider, type SignInClaims } from '../sign-in/session.ts';
import { endSessions } from '../sign-in/session-store.ts';
import type { VerifiedToken } from '../tokens/id-token.ts';
import { assertionJson, credentialJson, identityOf, type ProviderAssertion } from './assertion.ts';
import { createPendingToken } from './pending-assertion.ts';
import { resolveAccount, withKnownId } from './resolve-account.ts';

/** A sign-in with another provider, after its assertion has been verified. */
export interface ProviderSignIn {
  readonly assertion: ProviderAssertion;
  /** Whether the project accepts the assertion as proof that the user owns the address. */
  readonly isEmailProven: boolean;
  /** The user to whose account the identity is added; `undefined` to sign in. */
  readonly user: VerifiedToken | undefined;
  /** Whether an account is created if none has the identity. */
  readonly mayCreate: boolean;
  /**
   * Whether a response about a conflict contains the credential with which the client can use the identity in another
   * request.
   */
  readonly returnsCredential: boolean;
  /** Uses up the assertion when the sign-in commits. Throws if it was used in the meantime. */
  readonly spend: (transaction: RecordStoreTransaction) => void;
}

/** The errors that clients resolve by using the credential of the provider in another request. */
const CONFLICTS: ReadonlySet<AuthErrorCode> = new Set(['EMAIL_EXISTS', 'FEDERATED_USER_ID_ALREADY_LINKED']);

/**
 * Completes a sign-in with another provider: signs in to the account that has the identity, adds the identity to an
 * account, or creates an account. If another account has the address and the provider does not prove it, returns
 * `needConfirmation` without tokens.
 */
export async function completeProviderSignIn(
  call: AuthRequest,
  services: AuthServices,
  signInRequest: ProviderSignIn,
): Promise<JsonObject> {
  const { assertion, user, returnsCredential } = signInRequest;
  if (user === undefined) requireSignUpAllowed(call, services, signInRequest);
  const newAccountUid = newUid(services.randomBytes);
  let isRecycled = false;
  try {
    return await signIn(
      call,
      services,
      (_records, _nowMs, transaction) => {
        const outcome =
          user === undefined
            ? identify(transaction, call, services, signInRequest, newAccountUid)
            : link(transaction, call, services, signInRequest, user);
        if ('answer' in outcome) return outcome;
        requireNotMemberAccount(transaction, call, outcome.account);
        signInRequest.spend(transaction);
        isRecycled = user === undefined && losesIdentity(outcome, assertion);
        return { ...outcome, assertion };
      },
      (account, isNew) => ({
        ...assertionJson(assertion, account.email === assertion.email && account.isEmailVerified),
        ...credentialJson(assertion),
        // A SAML provider issues no token that could be the credential of the app.
        ...(returnsCredential && assertion.providerId.startsWith('saml.')
          ? { pendingToken: createPendingToken(call, services, signInRequest) }
          : {}),
        localId: account.uid,
        ...(isNew ? { isNewUser: true } : {}),
        ...(isRecycled ? { emailRecycled: true } : {}),
      }),
    );
  } catch (error) {
    if (!returnsCredential || !(error instanceof AuthApiError) || !CONFLICTS.has(error.code)) throw error;
    recordAudit(services, call, 'sign_in', error.uid, {
      result: error.code,
      detail: assertion.providerId,
    });
    return {
      ...assertionJson(assertion, signInRequest.isEmailProven),
      ...credentialJson(assertion),
      pendingToken: createPendingToken(call, services, signInRequest),
      errorMessage: error.message,
    };
  }
}

/** Applies the sign-up limit if the sign-in will create an account. */
function requireSignUpAllowed(
  call: AuthRequest,
  { recordStore, throttle }: AuthServices,
  { assertion, isEmailProven, mayCreate }: ProviderSignIn,
): void {
  const { scope, settings } = call.project;
  const { kind } = recordStore.read((view) =>
    resolveAccount(view.records(accountRecords(scope)), assertion, isEmailProven, settings),
  );
  if (kind === 'none' && mayCreate && settings.isSignUpEnabled) throttle.requireSignUpAllowed(call);
}

/**
 * Throws if the account belongs to a member of the project. Otherwise every administrator who can change the settings of
 * providers would have the rights of the owners.
 */
function requireNotMemberAccount(
  transaction: RecordStoreTransaction,
  { project }: AuthRequest,
  { uid }: Account,
): void {
  if (isMember(transaction, project.scope, uid))
    throw new AuthApiError(
      'OPERATION_NOT_ALLOWED',
      'Members of the project cannot sign in with another provider.',
      { uid },
    );
}

/** Returns whether a sign-in replaces an identity of the same provider: the address now belongs to another user there. */
function losesIdentity({ before, account }: PrimaryCredential, { providerId }: ProviderAssertion): boolean {
  const idsOf = (identities: Account['identities'] = []): readonly string[] =>
    identities.filter((one) => one.providerId === providerId).map(({ rawId }) => rawId);
  const kept = idsOf(account.identities);
  return idsOf(before?.identities).some((rawId) => !kept.includes(rawId));
}

function claimsOf({ providerId, signInAttributes }: ProviderAssertion): SignInClaims {
  return { ...claimsForProvider(providerId), signInAttributes };
}

/** Returns the credential of the account that the assertion selects, or the response if it selects none. */
function identify(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  services: AuthServices,
  { assertion: given, isEmailProven, mayCreate }: ProviderSignIn,
  newAccountUid: string,
): PrimaryCredential | Unidentified {
  const { nowMs } = transaction;
  const { scope, settings } = call.project;
  const records = transaction.records(accountRecords(scope));
  const assertion = withKnownId(records, given);
  const resolution = resolveAccount(records, assertion, isEmailProven, settings);
  const credential = { signInClaims: claimsOf(assertion), needsSecondFactor: true };
  switch (resolution.kind) {
    case 'known': {
      const before = resolution.account;
      return { ...credential, before, account: withProfile(withIdentity(before, assertion), assertion) };
    }
    case 'proven-address': {
      const before = resolution.account;
      return { ...credential, before, account: withProvenIdentity(records, before, assertion, nowMs) };
    }
    case 'unproven-address':
      transaction.onCommit(() =>
        recordAudit(services, call, 'provider_unconfirmed', resolution.account.uid, {
          detail: assertion.providerId,
        }),
      );
      return { answer: confirmationOf(call, services, { assertion, isEmailProven }, resolution.account) };
    case 'none':
      // Clients treat this code as the sign-in of another user, and keep the session of the current one.
      if (!mayCreate) throw new AuthApiError('EMAIL_NOT_FOUND');
      if (!settings.isSignUpEnabled) throw new AuthApiError('ADMIN_ONLY_OPERATION');
      return {
        ...credential,
        before: undefined,
        account: newAccount(call, assertion, isEmailProven, newAccountUid, nowMs),
      };
    default:
      return resolution satisfies never;
  }
}

/**
 * Returns the account with the current profile of an identity. If the account does not have the identity, it replaces the
 * other identities of the provider.
 */
function withIdentity(account: Account, assertion: ProviderAssertion): Account {
  const { providerId, rawId } = assertion;
  const known = account.identities.find((one) => one.providerId === providerId && one.rawId === rawId);
  const identity = identityOf(assertion, known?.wasLinkedVerified ?? account.isEmailVerified);
  const others = account.identities.filter((one) =>
    known === undefined ? one.providerId !== providerId : one !== known,
  );
  return { ...account, identities: [...others, identity] };
}

/** Fills the empty fields of a profile. */
function withProfile(account: Account, { displayName, photoUrl }: ProviderAssertion): Account {
  return {
    ...account,
    displayName: account.displayName ?? displayName,
    photoUrl: account.photoUrl ?? photoUrl,
  };
}

/**
 * Returns the account of an address that the assertion proves, with the identity. If the address was not verified before,
 * ends all sessions and removes all other credentials and the profile: another person may have created the account.
 */
function withProvenIdentity(
  records: RecordTransaction,
  before: Account,
  assertion: ProviderAssertion,
  nowMs: number,
): Account {
  voidUnprovenRecoveries(records, before.uid);
  if (before.isEmailVerified) return withProfile(withIdentity(before, assertion), assertion);
  endSessions(records, before.uid);
  const { displayName, photoUrl } = assertion;
  const claimed: Account = {
    ...withoutUnproven(before),
    identities: [],
    isEmailVerified: true,
    hasEmailLink: false,
    displayName,
    photoUrl,
    validSinceSec: nextValidSince(before, nowMs),
  };
  return withIdentity(claimed, assertion);
}

/** Returns the response that asks the user to sign in to the account of the address in another way first. */
function confirmationOf(
  call: AuthRequest,
  services: AuthServices,
  verified: Pick<ProviderSignIn, 'assertion' | 'isEmailProven'>,
  account: Account,
): JsonObject {
  const isPrivate = call.project.settings.isEmailPrivate;
  const providers = [...new Set(account.identities.map(({ providerId }) => providerId))];
  return {
    ...assertionJson(verified.assertion, false),
    ...credentialJson(verified.assertion),
    pendingToken: createPendingToken(call, services, verified),
    needConfirmation: true,
    ...(isPrivate ? {} : { localId: account.uid, verifiedProvider: providers }),
  };
}

function newAccount(
  { project }: AuthRequest,
  assertion: ProviderAssertion,
  isEmailProven: boolean,
  uid: string,
  nowMs: number,
): Account {
  const email = project.settings.signIn.areDuplicateEmailsAllowed ? null : assertion.email;
  const account = { ...emptyAccount(uid, nowMs), email, isEmailVerified: email !== null && isEmailProven };
  return withProfile(withIdentity(account, assertion), assertion);
}

/**
 * Returns the credential of the signed-in account with the identity added. Throws `FEDERATED_USER_ID_ALREADY_LINKED` if
 * an account has the identity, and `EMAIL_EXISTS` if another account has the address.
 */
function link(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  services: AuthServices,
  { assertion, isEmailProven }: ProviderSignIn,
  user: VerifiedToken,
): PrimaryCredential {
  const records = transaction.records(accountRecords(call.project.scope));
  const { providerId, rawId } = withKnownId(records, assertion);
  const before = requireCurrentUser(records, user);
  if (findAccountByIdentity(records, providerId, rawId) !== undefined)
    throw new AuthApiError('FEDERATED_USER_ID_ALREADY_LINKED', undefined, { uid: before.uid });
  const email = call.project.settings.signIn.areDuplicateEmailsAllowed ? null : assertion.email;
  const owner = email === null ? undefined : findAccountByEmail(records, email);
  if (owner !== undefined && owner.uid !== before.uid)
    throw new AuthApiError('EMAIL_EXISTS', undefined, { uid: before.uid });
  transaction.onCommit(() =>
    recordAudit(services, call, 'provider_linked', before.uid, { detail: providerId }),
  );
  const addressed = withAddress(records, before, email, isEmailProven);
  const linked = withProfile(withIdentity(addressed, assertion), assertion);
  const signInClaims = { ...claimsOf(assertion), secondFactor: user.secondFactor ?? null };
  if (!isAnonymous(before)) return { before, account: linked, signInClaims, needsSecondFactor: false };
  // Earlier sessions of an anonymous account must not gain access to what belongs to the user of the identity.
  requireRecentSignIn(before, user, transaction.nowMs);
  endSessions(records, before.uid);
  const account = { ...linked, validSinceSec: nextValidSinceOf(before, user, transaction.nowMs) };
  return { before, account, signInClaims, needsSecondFactor: false };
}

/**
 * Returns an account with the address of an identity that its user adds, if it has none, and marks the same address as
 * verified if it is proven.
 */
function withAddress(
  records: RecordTransaction,
  before: Account,
  email: string | null,
  isEmailProven: boolean,
): Account {
  if (email === null) return before;
  if (before.email === null) return { ...before, email, isEmailVerified: isEmailProven };
  if (before.email !== email || before.isEmailVerified || !isEmailProven) return before;
  voidUnprovenRecoveries(records, before.uid);
  return { ...before, isEmailVerified: true };
}
