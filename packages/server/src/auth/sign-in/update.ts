import type { RecordStoreTransaction, RecordView } from '../../records/store.ts';
import { type Account, nextValidSinceOf } from '../accounts/account.ts';
import { accountRecords, saveAccount } from '../accounts/account-store.ts';
import { updateByAdmin } from '../accounts/update-by-admin.ts';
import { updatedAccountJson } from '../accounts/user-json.ts';
import { applyCode } from '../codes/apply.ts';
import { mailOldAddress } from '../codes/issue.ts';
import { mailNotice, mailPasswordChanged } from '../codes/mails.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import {
  handOverAfterRemoval,
  mayUsePasskey,
  removedPasskeys,
  withoutPasskeys,
} from '../passkeys/removal.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { requireSignUpPermitted } from '../sign-up-rules/apply-sign-up-rules.ts';
import type { VerifiedToken } from '../tokens/id-token.ts';
import {
  claimsOfSignIn,
  isOfToken,
  requireCurrentUser,
  requireRecentSignIn,
  requireVerifiedToken,
} from './current-user.ts';
import {
  applyProfileUpdate,
  applyRemovals,
  changesEmail,
  effectiveRemovals,
  endsSessions,
  needsRecentSignIn,
  type ProfileUpdate,
  readProfileUpdate,
  removesEmail,
} from './profile-update.ts';
import type { Session } from './session.ts';
import { endSessions, startSession } from './session-store.ts';
import { tokensOfSession } from './session-tokens.ts';

/**
 * Throws if the address of an account may only be changed by a mail to the new address. If the project hides
 * which addresses have accounts, a direct change would reveal whether the new address has one. If the account has
 * second factors, a mail to an unverified address could bypass them.
 */
export function requireEmailChangeAllowed(
  account: Account,
  { isEmailPrivate }: AuthRequest['project']['settings'],
): void {
  if (isEmailPrivate)
    throw new AuthApiError('OPERATION_NOT_ALLOWED', 'Please verify the new email before changing email.');
  requireEmailRemovalAllowed(account);
}

/** Throws if the account has second factors: without an address, the account could then get any other address. */
function requireEmailRemovalAllowed({ factors }: Account): void {
  if (factors.length > 0) throw new AuthApiError('EMAIL_CHANGE_NEEDS_VERIFICATION');
}

interface Outcome {
  readonly before: Account;
  readonly account: Account;
  /** The session that replaces all others; `undefined` if the change did not end them. */
  readonly session: Session | undefined;
  /** A token for SDKs that do not read the tokens of the response. */
  readonly handover?: JsonObject;
}

/** `accounts:update` by the user to whom an ID token belongs. */
async function updateOwnAccount(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const change = readProfileUpdate(call.fields, call.project);
  const token = await requireVerifiedToken(call, services);
  services.throttle.requireProfileUpdateAllowed(call, token.uid);
  if (change.password !== undefined) services.throttle.requireNewPasswordAllowed(call, token.uid);
  // Check first, because hashing is expensive.
  services.recordStore.read((view) =>
    requireAllowed(
      view.records(accountRecords(call.project.scope)),
      call,
      token,
      change,
      services.clock.nowMs(),
    ),
  );
  const passwordHash =
    change.password === undefined
      ? undefined
      : await services.passwords.hashEncoded(change.password, call.client.network);
  const outcome = await services.recordStore.change((transaction) =>
    changeAccount(transaction, call, services, token, change, passwordHash),
  );
  recordChanges(call, services, outcome.before, change);
  return answer(call, services, outcome);
}

function changeAccount(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  services: AuthServices,
  token: VerifiedToken,
  change: ProfileUpdate,
  passwordHash: JsonObject | undefined,
): Outcome {
  const records = transaction.records(accountRecords(call.project.scope));
  const before = requireAllowed(records, call, token, change, transaction.nowMs);
  const passkeys = removedPasskeys(before, applyRemovals(before, change));
  const { signInProvider, secondFactor = null } = token;
  const endsAll =
    endsSessions(before, change) || mayUsePasskey({ provider: signInProvider, secondFactor }, passkeys);
  const validSinceSec = endsAll ? nextValidSinceOf(before, token, transaction.nowMs) : before.validSinceSec;
  const account = applyProfileUpdate(before, change, passwordHash, {
    nowMs: transaction.nowMs,
    validSinceSec,
  });
  saveAccount(records, before, account);
  mailOldAddress(transaction, call, services, before, account);
  if (passwordHash !== undefined && before.password !== null)
    mailPasswordChanged(transaction, call, services, before);
  if (passkeys.size > 0) mailNotice(transaction, call, services, before, 'passkeyRemoved');
  if (!endsAll) {
    if (passkeys.size > 0) endSessions(records, account.uid, (session) => mayUsePasskey(session, passkeys));
    // Clients that unlink ignore tokens in the response, so their own session remains.
    if (removesEmail(before, change))
      endSessions(records, account.uid, (session) => !isOfToken(session, before, token));
    return { before, account, session: undefined };
  }
  const signInClaims = claimsOfSignIn(records, token);
  const provider = signInClaims.provider === 'anonymous' ? 'password' : signInClaims.provider;
  endSessions(records, account.uid);
  const session = startSession(
    records,
    call,
    services,
    account.uid,
    { ...withoutPasskeys(signInClaims, passkeys), provider },
    transaction.nowMs,
  );
  const handover =
    passkeys.size === 0 ? {} : handOverAfterRemoval(records, call, services, session, transaction.nowMs);
  return { before, account, session, handover };
}

/** Returns the account if its user may make the change. Throws otherwise. */
function requireAllowed(
  records: RecordView,
  call: AuthRequest,
  token: VerifiedToken,
  change: ProfileUpdate,
  nowMs: number,
): Account {
  const account = requireCurrentUser(records, token);
  if (needsRecentSignIn(account, change)) requireRecentSignIn(account, token, nowMs);
  if (changesEmail(account, change)) requireEmailChangeAllowed(account, call.project.settings);
  // A new address or a password is a sign-in method, the first one of an anonymous account.
  if (endsSessions(account, change))
    requireSignUpPermitted(call, account, { email: change.email ?? account.email, provider: 'password' });
  if (removesEmail(account, change)) requireEmailRemovalAllowed(account);
  return account;
}

async function answer(
  { project }: AuthRequest,
  services: AuthServices,
  { account, session, handover }: Outcome,
): Promise<JsonObject> {
  const json = updatedAccountJson(account);
  if (session === undefined) return json;
  return { ...json, ...(await tokensOfSession(services, project, account, session)), ...handover };
}

function recordChanges(
  call: AuthRequest,
  services: AuthServices,
  before: Account,
  change: ProfileUpdate,
): void {
  if (changesEmail(before, change) || removesEmail(before, change))
    recordAudit(services, call, 'email_changed', before.uid);
  if (change.password !== undefined) recordAudit(services, call, 'password_changed', before.uid);
  for (const removal of effectiveRemovals(before, change))
    if (removal.kind === 'passkey') recordAudit(services, call, 'passkey_removed', before.uid);
    else
      recordAudit(services, call, 'unlinked', before.uid, {
        detail: removal.kind === 'provider' ? removal.providerId : removal.attribute,
      });
}

/**
 * `accounts:update`: changes an account for a client with a code from a mail, for an administrator, or for the user to
 * whom an ID token belongs.
 */
export async function update(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { fields, caller } = call;
  if (fields.has('oobCode')) return applyCode(call, services);
  // If an administrator also sends an ID token, `localId` selects the account, and the token does not.
  if (caller.kind === 'admin') return updateByAdmin(call, services);
  if (!fields.has('idToken')) throw new AuthApiError('INVALID_REQ_TYPE', 'Unsupported request parameters.');
  return updateOwnAccount(call, services);
}
