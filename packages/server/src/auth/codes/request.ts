import { setTimeout } from 'node:timers/promises';
import { MAX_WAITING } from '../../outbox/outbox.ts';
import type { RecordStoreTransaction, RecordView } from '../../records/store.ts';
import type { Account } from '../accounts/account.ts';
import { accountRecords, findAccountByEmail } from '../accounts/account-store.ts';
import { parseEmail, requireEmail } from '../accounts/field-parsers.ts';
import { requireCaptcha } from '../captcha/policy.ts';
import { AuthApiError } from '../errors.ts';
import type { Fields, JsonObject } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import { isMember, requireNotMember } from '../roles/member-store.ts';
import type { AuthServices } from '../services.ts';
import { requireCurrentUser, requireRecentSignIn, requireVerifiedToken } from '../sign-in/current-user.ts';
import { requireAddressPermitted } from '../sign-up-rules/apply-sign-up-rules.ts';
import { requireNotDeleted } from '../tenants/deleted-tenants.ts';
import type { VerifiedToken } from '../tokens/id-token.ts';
import type { CodePurpose } from './code.ts';
import { type IssuedCode, issueCode, tooManyMails } from './issue.ts';
import { type ActionSettings, readActionSettings } from './links.ts';
import { isMailPermitted } from './mail-permission.ts';
import { mailAccount } from './mails.ts';

/** In the order of the official API: older clients send positions. */
const TYPES = [
  'OOB_REQ_TYPE_UNSPECIFIED',
  'PASSWORD_RESET',
  'OLD_EMAIL_AGREE',
  'NEW_EMAIL_ACCEPT',
  'VERIFY_EMAIL',
  'RECOVER_EMAIL',
  'EMAIL_SIGNIN',
  'VERIFY_AND_CHANGE_EMAIL',
  'REVERT_SECOND_FACTOR_ADDITION',
] as const;

/** Types of codes that clients can request. Other codes are issued when an account changes. */
const REQUESTED = ['PASSWORD_RESET', 'VERIFY_EMAIL', 'EMAIL_SIGNIN', 'VERIFY_AND_CHANGE_EMAIL'] as const;

export type RequestType = (typeof REQUESTED)[number];

/** Types that a client requests without signing in. */
const PUBLIC_TYPES: readonly RequestType[] = ['PASSWORD_RESET', 'EMAIL_SIGNIN'];

/** Returns the type of code that a request asks for. Throws `MISSING_REQ_TYPE` or `INVALID_REQ_TYPE`. */
function readRequestTypeOrThrow(fields: Fields): RequestType {
  const given = fields.find('requestType');
  const type = fields.choice('requestType', TYPES);
  if (given === undefined || given === '' || type === 'OOB_REQ_TYPE_UNSPECIFIED')
    throw new AuthApiError('MISSING_REQ_TYPE');
  const requested = REQUESTED.find((known) => known === type);
  if (requested === undefined) throw new AuthApiError('INVALID_REQ_TYPE');
  return requested;
}

/** How the server responds to a request for a code. */
export type CodeDecision =
  | { readonly kind: 'issue'; readonly purpose: CodePurpose; readonly displayName: string | null }
  /**
   * Pretends success, so that the response does not reveal whether the account exists. `email` is the address
   * in the response.
   */
  | { readonly kind: 'pretend'; readonly email: string }
  /** Pretends success too, and warns the owner of the requested address by mail that another user requested it. */
  | { readonly kind: 'warn'; readonly email: string; readonly owner: string };

/**
 * A parsed request for a code, as a function that decides on the request within a transaction. Throws an
 * `AuthApiError` to reject the request.
 */
export type CodeRequest = (records: RecordView, nowMs: number) => CodeDecision;

type CodeRequestReader = (call: AuthRequest, services: AuthServices) => Promise<CodeRequest>;

/** Parsers of requests for a code, by type. */
const READ_CODE_REQUEST: Readonly<Record<RequestType, CodeRequestReader>> = {
  PASSWORD_RESET: readPasswordReset,
  VERIFY_EMAIL: readVerification,
  EMAIL_SIGNIN: readSignIn,
  VERIFY_AND_CHANGE_EMAIL: readChange,
};

async function readPasswordReset(call: AuthRequest): Promise<CodeRequest> {
  const email = requireEmail(call.fields);
  return (records) => {
    const account = findAccountByEmail(records, email);
    if (account === undefined || account.isDisabled) {
      if (isConfidential(call)) return { kind: 'pretend', email };
      throw new AuthApiError(account === undefined ? 'EMAIL_NOT_FOUND' : 'USER_DISABLED');
    }
    const { uid, displayName } = account;
    return { kind: 'issue', purpose: { kind: 'PASSWORD_RESET', uid, email }, displayName };
  };
}

async function readSignIn(call: AuthRequest, { isDevelopment }: AuthServices): Promise<CodeRequest> {
  const email = requireEmail(call.fields);
  // Without a URL to continue on, the link does not work. Development mode accepts this, because tests of apps
  // only read the code from the link.
  if (!isDevelopment && call.fields.filled('continueUrl') === undefined)
    throw new AuthApiError('MISSING_CONTINUE_URI');
  return (records) => {
    const account = findAccountByEmail(records, email);
    if (account?.isDisabled === true) {
      if (isConfidential(call)) return { kind: 'pretend', email };
      throw new AuthApiError('USER_DISABLED');
    }
    const displayName = account?.displayName ?? null;
    return { kind: 'issue', purpose: { kind: 'EMAIL_SIGNIN', email }, displayName };
  };
}

async function readVerification(call: AuthRequest, services: AuthServices): Promise<CodeRequest> {
  if (!namesAddress(call) && call.fields.filled('idToken') === undefined)
    throw new AuthApiError('INVALID_ID_TOKEN');
  const find = await readSubject(call, services);
  return (records) => {
    const { uid, email, displayName } = find(records).account;
    return { kind: 'issue', purpose: { kind: 'VERIFY_EMAIL', uid, email }, displayName };
  };
}

async function readChange(call: AuthRequest, services: AuthServices): Promise<CodeRequest> {
  const newEmail = parseEmail(call.fields.require('newEmail', 'MISSING_NEW_EMAIL'), 'INVALID_NEW_EMAIL');
  requireAddressPermitted(call.project, newEmail);
  const find = await readSubject(call, services);
  return (records, nowMs) => {
    const { account, token } = find(records);
    if (token !== undefined) requireRecentSignIn(account, token, nowMs);
    const { uid, email, displayName, validSinceSec } = account;
    const owner = findAccountByEmail(records, newEmail);
    if (owner !== undefined) {
      if (owner.uid !== uid && isConfidential(call)) return { kind: 'warn', email, owner: newEmail };
      throw new AuthApiError('EMAIL_EXISTS');
    }
    const purpose = { kind: 'VERIFY_AND_CHANGE_EMAIL', uid, email, newEmail, validSinceSec } as const;
    return { kind: 'issue', purpose, displayName };
  };
}

/**
 * Returns whether the response must not reveal to the caller if an account exists. Administrators can read accounts
 * anyway.
 */
function isConfidential({ caller, project }: AuthRequest): boolean {
  return caller.kind === 'app' && project.settings.isEmailPrivate;
}

interface Subject {
  readonly account: Account & { readonly email: string };
  /** The verified token of a user who requests a code for their own account. */
  readonly token: VerifiedToken | undefined;
}

/**
 * Returns a function that finds the account for which a code is requested. Administrators may name the account by its
 * address; other callers send their ID token.
 */
async function readSubject(
  call: AuthRequest,
  services: AuthServices,
): Promise<(records: RecordView) => Subject> {
  if (namesAddress(call)) {
    const email = requireEmail(call.fields);
    return (records) => {
      const account = findAccountByEmail(records, email);
      if (account === undefined) throw new AuthApiError('USER_NOT_FOUND');
      if (account.isDisabled) throw new AuthApiError('USER_DISABLED');
      return { account: { ...account, email }, token: undefined };
    };
  }
  const token = await requireVerifiedToken(call, services);
  return (records) => {
    const account = requireCurrentUser(records, token);
    if (account.email === null) throw new AuthApiError('MISSING_EMAIL');
    return { account: { ...account, email: account.email }, token };
  };
}

/**
 * Returns whether an administrator names the account by its address, to get the link in the response. Requests with an
 * ID token name the account by the token.
 */
function namesAddress({ caller, fields }: AuthRequest): boolean {
  return (
    caller.kind === 'admin' && fields.flag('returnOobLink') === true && fields.filled('idToken') === undefined
  );
}

const KIND = 'identitytoolkit#GetOobConfirmationCodeResponse';

/**
 * Minimum duration of a response that must not reveal whether the account exists, in ms: much longer than
 * queuing a mail takes.
 */
const FLOOR_MS = 100;

interface Request {
  readonly type: RequestType;
  readonly settings: ActionSettings;
  /** Whether the response contains the link and no mail is sent. */
  readonly isLinkReturned: boolean;
  /** Whether only members get the mail, because the function of the project did not permit it. */
  readonly isForMembers: boolean;
}

interface Outcome {
  /** The address for the response. */
  readonly email: string;
  /** `undefined` if the server only pretends to issue a code. */
  readonly issued: IssuedCode | undefined;
}

/** `accounts:sendOobCode`: mails a code, or returns to an administrator the link that the mail would contain. */
export async function sendOobCode(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const given = readRequest(call);
  const { type, isLinkReturned } = given;
  if (PUBLIC_TYPES.includes(type)) await requireCaptcha(call, services, 'getOobCode');
  const codeRequest = await READ_CODE_REQUEST[type](call, services);
  if (!isLinkReturned) requireCapacity(services);
  if (call.caller.kind === 'app') {
    services.throttle.requireMailAllowed(call);
    services.captcha.recordEvent(call.client.address);
  }
  const request = { ...given, isForMembers: !(await isMailPermitted(call, services, type)) };
  const isSecret = isConfidential(call) && type !== 'VERIFY_EMAIL';
  const startedAtMs = services.clock.elapsedMs();
  const { email, issued } = await services.recordStore.change((transaction) =>
    applyDecision(transaction, call, services, codeRequest, request),
  );
  if (isSecret) await setTimeout(Math.max(0, startedAtMs + FLOOR_MS - services.clock.elapsedMs()));
  if (issued?.kind === 'limited' && !isSecret) throw limitOf(type);
  if (!isLinkReturned || issued?.kind !== 'issued') return { kind: KIND, email };
  return { kind: KIND, email, oobCode: issued.code, oobLink: issued.link };
}

function readRequest({ fields, caller, project, origin }: AuthRequest): Omit<Request, 'isForMembers'> {
  const type = readRequestTypeOrThrow(fields);
  // Checked before the parameters, as in the official service.
  if (type === 'EMAIL_SIGNIN' && !project.settings.signIn.isEmailLinkEnabled)
    throw new AuthApiError('OPERATION_NOT_ALLOWED');
  const isLinkReturned = fields.flag('returnOobLink') === true;
  if (isLinkReturned && caller.kind !== 'admin') throw new AuthApiError('INSUFFICIENT_PERMISSION');
  return { type, settings: readActionSettings(fields, project.settings, origin), isLinkReturned };
}

/**
 * Throws `QUOTA_EXCEEDED` if too many mails wait. Called before the server knows whether it will send a mail:
 * otherwise the error would reveal that the account exists.
 */
function requireCapacity({ outbox }: AuthServices): void {
  if (outbox.status().waiting >= MAX_WAITING) throw tooManyMails();
}

function applyDecision(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  services: AuthServices,
  codeRequest: CodeRequest,
  { settings, isLinkReturned, isForMembers }: Request,
): Outcome {
  requireNotDeleted(transaction, call.project.scope);
  const records = transaction.records(accountRecords(call.project.scope));
  const decided = codeRequest(records, transaction.nowMs);
  const decision =
    isForMembers && !isToMember(transaction, call, decided)
      ? ({ kind: 'pretend', email: emailOf(decided) } as const)
      : decided;
  switch (decision.kind) {
    case 'issue': {
      const { purpose, displayName } = decision;
      if (isLinkReturned) requireUnprotectedAccount(transaction, call, purpose);
      const delivery = isLinkReturned ? 'response' : 'mail';
      const issued = issueCode(transaction, call, services, { purpose, displayName, settings, delivery });
      return { email: purpose.email, issued };
    }
    case 'pretend':
      // A transaction that writes nothing would finish sooner, which would reveal that the account does not
      // exist.
      records.write(['pretendedAtMs'], transaction.nowMs);
      return { email: decision.email, issued: undefined };
    case 'warn': {
      const { email, owner } = decision;
      mailAccount(transaction, call, services, { to: owner, event: { kind: 'emailInUse', email: owner } });
      return { email, issued: undefined };
    }
    default:
      return decision satisfies never;
  }
}

function emailOf(decision: CodeDecision): string {
  return decision.kind === 'issue' ? decision.purpose.email : decision.email;
}

function isToMember(
  transaction: RecordStoreTransaction,
  { project }: AuthRequest,
  decision: CodeDecision,
): boolean {
  const records = transaction.records(accountRecords(project.scope));
  const uid = findAccountByEmail(records, emailOf(decision))?.uid;
  return uid !== undefined && isMember(transaction, project.scope, uid);
}

/**
 * Throws `PERMISSION_DENIED` if the account belongs to a member whom the administrator may not change: the link
 * would let the administrator take over the account.
 */
function requireUnprotectedAccount(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  purpose: CodePurpose,
): void {
  const uid =
    purpose.kind === 'EMAIL_SIGNIN'
      ? findAccountByEmail(transaction.records(accountRecords(call.project.scope)), purpose.email)?.uid
      : purpose.uid;
  if (uid !== undefined) requireNotMember(transaction, call, uid);
}

function limitOf(type: RequestType): AuthApiError {
  return type === 'PASSWORD_RESET'
    ? new AuthApiError('RESET_PASSWORD_EXCEED_LIMIT')
    : new AuthApiError('TOO_MANY_ATTEMPTS_TRY_LATER', 'Too many emails of this kind. Try again later.');
}
