import type { RecordStoreTransaction, RecordView } from '../../records/store.ts';
import { type Account, emptyAccount, isAnonymous, nextValidSinceOf } from '../accounts/account.ts';
import { accountRecords, findAccountByPhone } from '../accounts/account-store.ts';
import { newUid } from '../accounts/field-parsers.ts';
import { mailNotice } from '../codes/mails.ts';
import { AuthApiError } from '../errors.ts';
import type { Fields, JsonObject } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import { isMember } from '../roles/member-store.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { type PrimaryCredential, signIn } from '../sign-in/complete-sign-in.ts';
import { requireCurrentUser, requireRecentSignIn, requireVerifiedToken } from '../sign-in/current-user.ts';
import { claimsForProvider } from '../sign-in/session.ts';
import { endSessions } from '../sign-in/session-store.ts';
import type { VerifiedToken } from '../tokens/id-token.ts';
import { requirePhoneEnabled, requirePhoneNumber } from './issue-phone-code.ts';
import {
  addPhoneProof,
  checkPhoneCode,
  type FoundPhoneCode,
  type GivenPhoneCode,
  recordWrongPhoneCode,
  removePhoneCode,
  removePhoneProof,
  requirePhoneProof,
} from './phone-code-store.ts';
import { notifyFormerNumber } from './queue-sms.ts';
import { countUsedCode } from './sms-results.ts';

/** In the order of the official API: older clients send positions. */
const OPERATIONS = ['VERIFY_OP_UNSPECIFIED', 'SIGN_UP_OR_IN', 'REAUTH', 'UPDATE', 'LINK'] as const;

/** The fields with which a client proves that it owns a number. */
type GivenProof =
  | ({ readonly kind: 'code' } & GivenPhoneCode)
  | { readonly kind: 'proof'; readonly phoneNumber: string; readonly temporaryProof: string };

/** A number of which the client has proven the ownership. */
interface ProvenNumber {
  readonly phoneNumber: string;
  readonly isFictional: boolean;
  /** Uses up the proof when the transaction commits. */
  readonly spend: (transaction: RecordStoreTransaction) => void;
}

/**
 * `accounts:signInWithPhoneNumber`: signs in with a code from a text message, or links the number to the signed-in
 * account.
 */
export async function signInWithPhoneNumber(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { fields, project } = call;
  requirePhoneEnabled(project);
  const given = readProof(fields);
  const isReauthentication = fields.choice('operation', OPERATIONS) === 'REAUTH';
  const token = fields.has('idToken') ? await requireVerifiedToken(call, services) : undefined;
  const phoneNumber = await requireRightProof(call, services, given);
  if (token === undefined) {
    if (!isReauthentication) requireSignUpAllowed(call, services, phoneNumber);
  } else {
    const taken = await proveTaken(call, services, token, given);
    if (taken !== undefined) return taken;
  }
  const uid = newUid(services.randomBytes);
  return signIn(
    call,
    services,
    (records, nowMs, transaction) => {
      const proven = requireProven(records, call, services, given, nowMs);
      proven.spend(transaction);
      return token === undefined
        ? verifyNumber(transaction, call, proven, { newAccountUid: uid, isReauthentication })
        : linkNumber(transaction, call, services, proven, token);
    },
    (account, isNew) => ({ localId: account.uid, phoneNumber, isNewUser: isNew }),
  );
}

function readProof(fields: Fields): GivenProof {
  if (fields.filled('temporaryProof') !== undefined || isProofMissing(fields)) {
    const temporaryProof = fields.require('temporaryProof', 'MISSING_TEMPORARY_PROOF');
    if (fields.filled('phoneNumber') === undefined) throw new AuthApiError('MISSING_PHONE_NUMBER');
    return { kind: 'proof', phoneNumber: requirePhoneNumber(fields), temporaryProof };
  }
  const sessionInfo = fields.require('sessionInfo', 'MISSING_SESSION_INFO');
  return { kind: 'code', sessionInfo, code: fields.require('code', 'MISSING_CODE') };
}

function isProofMissing(fields: Fields): boolean {
  return fields.filled('sessionInfo') === undefined && fields.filled('phoneNumber') !== undefined;
}

/**
 * Returns the proven number. If the code is wrong, counts it and rejects. This is a transaction of its own, because the
 * transaction of a rejected sign-in stores nothing.
 */
async function requireRightProof(
  call: AuthRequest,
  services: AuthServices,
  given: GivenProof,
): Promise<string> {
  const { recordStore, clock } = services;
  const store = accountRecords(call.project.scope);
  if (given.kind === 'proof') {
    recordStore.read((view) => requireProven(view.records(store), call, services, given, clock.nowMs()));
    return given.phoneNumber;
  }
  const check = recordStore.read((view) => checkOf(view.records(store), services, given, clock.nowMs()));
  if (check.kind === 'right') return check.found.phoneNumber;
  const { kind } = await recordStore.change((transaction) => {
    const records = transaction.records(store);
    const again = checkOf(records, services, given, transaction.nowMs);
    if (again.kind !== 'right') recordWrongPhoneCode(records, again.found, transaction.nowMs);
    return again;
  });
  throw new AuthApiError(kind === 'foreign' ? 'INVALID_SESSION_INFO' : 'INVALID_CODE');
}

function checkOf(records: RecordView, { phones }: AuthServices, given: GivenPhoneCode, nowMs: number) {
  return checkPhoneCode(records, given, ({ kind }) => kind === 'sign-in', phones.codeKey, nowMs);
}

/**
 * Returns the proven number, as the transaction finds the proof. Throws if the proof is not valid, or no longer valid.
 */
function requireProven(
  records: RecordView,
  call: AuthRequest,
  services: AuthServices,
  given: GivenProof,
  nowMs: number,
): ProvenNumber {
  if (given.kind === 'proof') {
    const { phoneNumber, temporaryProof } = given;
    const { isFictional } = requirePhoneProof(records, temporaryProof, phoneNumber, nowMs);
    const store = accountRecords(call.project.scope);
    return {
      phoneNumber,
      isFictional,
      spend: (transaction) => removePhoneProof(transaction.records(store), temporaryProof),
    };
  }
  const found = requireRightCode(records, services, given, nowMs);
  const { phoneNumber, isFictional } = found;
  return { phoneNumber, isFictional, spend: (transaction) => spendCode(transaction, call, found) };
}

function spendCode(
  transaction: RecordStoreTransaction,
  { project }: AuthRequest,
  found: FoundPhoneCode,
): void {
  removePhoneCode(transaction.records(accountRecords(project.scope)), found);
  countUsedCode(transaction, project.id, found);
}

function requireRightCode(
  records: RecordView,
  services: AuthServices,
  given: GivenPhoneCode,
  nowMs: number,
): FoundPhoneCode {
  const { kind, found } = checkOf(records, services, given, nowMs);
  if (kind !== 'right') throw new AuthApiError('INVALID_CODE');
  return found;
}

/** Applies the sign-up limit if the sign-in will create an account. */
function requireSignUpAllowed(
  call: AuthRequest,
  { recordStore, throttle }: AuthServices,
  phoneNumber: string,
): void {
  const owner = recordStore.read((view) =>
    findAccountByPhone(view.records(accountRecords(call.project.scope)), phoneNumber),
  );
  if (owner === undefined && call.project.settings.isSignUpEnabled) throttle.requireSignUpAllowed(call);
}

/**
 * If another account than that of the token has the number of a code, uses up the code and returns a proof with which
 * the client can sign in to that other account instead.
 */
function proveTaken(
  call: AuthRequest,
  services: AuthServices,
  token: VerifiedToken,
  given: GivenProof,
): Promise<JsonObject | undefined> {
  if (given.kind === 'proof') return Promise.resolve(undefined);
  return services.recordStore.change((transaction) => {
    const { nowMs } = transaction;
    const records = transaction.records(accountRecords(call.project.scope));
    const found = requireRightCode(records, services, given, nowMs);
    const { phoneNumber, isFictional } = found;
    const { uid } = requireCurrentUser(records, token);
    const owner = findAccountByPhone(records, phoneNumber);
    if (owner === undefined || owner.uid === uid) return undefined;
    spendCode(transaction, call, found);
    const { proof, lifetimeMs } = addPhoneProof(
      records,
      phoneNumber,
      isFictional,
      services.randomBytes,
      nowMs,
    );
    return {
      temporaryProof: proof,
      temporaryProofExpiresIn: String(lifetimeMs / 1_000),
      phoneNumber,
    };
  });
}

/** Throws if the account has second factors: a phone would be both factors of a sign-in. */
function requireNoFactors({ factors, uid }: Account): void {
  if (factors.length > 0)
    throw new AuthApiError(
      'UNSUPPORTED_FIRST_FACTOR',
      'A phone number cannot be set as a first factor on an SMS based MFA user.',
      { uid },
    );
}

/** Throws if a fictional number, whose code administrators know, would give access to the account of a member. */
function requireNotFictional(
  transaction: RecordStoreTransaction,
  { project }: AuthRequest,
  { isFictional }: ProvenNumber,
  { uid }: Account,
): void {
  if (isFictional && isMember(transaction, project.scope, uid))
    throw new AuthApiError(
      'OPERATION_NOT_ALLOWED',
      'A fictional phone number cannot be used for the account of a member.',
      { uid },
    );
}

/**
 * Returns the credential of the account with the number, or of a new account. Throws `USER_NOT_FOUND` if a user who
 * signs in again has none, and `ADMIN_ONLY_OPERATION` if users cannot create accounts.
 */
function verifyNumber(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  proven: ProvenNumber,
  { newAccountUid, isReauthentication }: { newAccountUid: string; isReauthentication: boolean },
): PrimaryCredential {
  const { phoneNumber } = proven;
  const { project } = call;
  const before = findAccountByPhone(transaction.records(accountRecords(project.scope)), phoneNumber);
  const signInClaims = claimsForProvider('phone');
  if (before !== undefined) {
    if (!before.isDisabled) requireNoFactors(before);
    requireNotFictional(transaction, call, proven, before);
    return { before, account: before, signInClaims, needsSecondFactor: false };
  }
  if (isReauthentication) throw new AuthApiError('USER_NOT_FOUND');
  if (!project.settings.isSignUpEnabled) throw new AuthApiError('ADMIN_ONLY_OPERATION');
  const account = { ...emptyAccount(newAccountUid, transaction.nowMs), phoneNumber };
  return { before, account, signInClaims, needsSecondFactor: false };
}

/** Returns the credential of the signed-in account with the number instead of its previous one, if any. */
function linkNumber(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  services: AuthServices,
  proven: ProvenNumber,
  token: VerifiedToken,
): PrimaryCredential {
  const { phoneNumber } = proven;
  const records = transaction.records(accountRecords(call.project.scope));
  const before = requireCurrentUser(records, token);
  requireNoFactors(before);
  requireNotFictional(transaction, call, proven, before);
  const signInClaims = { ...claimsForProvider('phone'), secondFactor: token.secondFactor ?? null };
  const linked = { ...before, phoneNumber };
  if (before.phoneNumber === phoneNumber)
    return { before, account: linked, signInClaims, needsSecondFactor: false };
  mailNotice(transaction, call, services, before, 'phoneNumberChanged');
  if (before.phoneNumber !== null)
    notifyFormerNumber(transaction, call, services, { uid: before.uid, phoneNumber: before.phoneNumber });
  transaction.onCommit(() => recordAudit(services, call, 'phone_linked', before.uid));
  if (before.phoneNumber === null && !isAnonymous(before))
    return { before, account: linked, signInClaims, needsSecondFactor: false };
  // Sessions from before the number was proven must not gain access to what belongs to its owner.
  requireRecentSignIn(before, token, transaction.nowMs);
  endSessions(records, before.uid);
  const account = { ...linked, validSinceSec: nextValidSinceOf(before, token, transaction.nowMs) };
  return { before, account, signInClaims, needsSecondFactor: false };
}
