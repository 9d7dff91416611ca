import { type CallRequest, call, type Fetch, findRecord, findText, type JsonRecord } from './api.ts';
import type { ActionLink, ActionMode } from './parameters.ts';
import { LEAST_POLICY, type PasswordPolicy, parsePasswordPolicy } from './password.ts';
import type { Change, Factor, Problem, RejectionReason } from './screen.ts';

/**
 * Masks an email address so that its owner still recognizes it. Keeps the domain, the first letter of the name, and the last
 * letter if the name has more than three letters. Returns `•••` if there is no name before the `@`.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  if (at < 1) return '•••';
  const name = [...email.slice(0, at)];
  const last = name.length > 3 ? name.at(-1) : '';
  return `${name[0]}•••${last}${email.slice(at)}`;
}

const SHOWN_DIGITS = 4;

/** Masks a phone number except its last digits. Accepts numbers that are already masked. */
export function maskPhone(number: string): string {
  const shown = number.replace(/\D/g, '').slice(-SHOWN_DIGITS);
  return `•••• ${shown}`;
}

/** The meaning of a server error for the user: the link cannot be used (`over`), or the user can retry (`again`). */
export type Explanation =
  | { readonly kind: 'over'; readonly reason: RejectionReason }
  | { readonly kind: 'again'; readonly problem: Problem };

const OVER: Readonly<Record<string, RejectionReason>> = {
  MISSING_OOB_CODE: 'incomplete',
  INVALID_OOB_CODE: 'invalidCode',
  EXPIRED_OOB_CODE: 'expiredCode',
  USER_DISABLED: 'userDisabled',
  USER_NOT_FOUND: 'userNotFound',
  EMAIL_NOT_FOUND: 'userNotFound',
  EMAIL_EXISTS: 'emailTaken',
  OPERATION_NOT_ALLOWED: 'notAllowed',
  PASSWORD_LOGIN_DISABLED: 'notAllowed',
};

const AGAIN: Readonly<Record<string, Problem>> = {
  WEAK_PASSWORD: 'weakPassword',
  PASSWORD_DOES_NOT_MEET_REQUIREMENTS: 'weakPassword',
  TOO_MANY_ATTEMPTS_TRY_LATER: 'tooManyAttempts',
  RESET_PASSWORD_EXCEED_LIMIT: 'tooManyAttempts',
  QUOTA_EXCEEDED: 'tooManyAttempts',
};

/** Explains an error code. Unknown codes are unexpected problems. */
export function explainError(code: string): Explanation {
  const reason = OVER[code];
  return reason === undefined
    ? { kind: 'again', problem: AGAIN[code] ?? 'unexpected' }
    : { kind: 'over', reason };
}

/**
 * The action that a code allows, or the reason why the page offers none. `email` is the unmasked email address of the
 * account.
 */
export type CheckedCode =
  | { readonly kind: 'newPassword'; readonly email: string; readonly policy: PasswordPolicy }
  | { readonly kind: 'confirm'; readonly email: string; readonly change: Change }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason }
  | { readonly kind: 'failed'; readonly problem: Problem };

const REQUEST_TYPES: Readonly<Record<ActionMode, string>> = {
  resetPassword: 'PASSWORD_RESET',
  verifyEmail: 'VERIFY_EMAIL',
  verifyAndChangeEmail: 'VERIFY_AND_CHANGE_EMAIL',
  recoverEmail: 'RECOVER_EMAIL',
  revertSecondFactorAddition: 'REVERT_SECOND_FACTOR_ADDITION',
};

/** Checks the code of a link on the server without using it up. */
export async function checkCode(fetch: Fetch, link: ActionLink): Promise<CheckedCode> {
  const { mode, apiKey, oobCode, tenantId } = link;
  const [outcome, policy] = await Promise.all([
    call(fetch, { path: '/v1/accounts:resetPassword', apiKey, body: { oobCode, tenantId } }),
    mode === 'resetPassword' ? readPolicy(fetch, link) : LEAST_POLICY,
  ]);
  if (outcome.kind === 'unreachable') return { kind: 'failed', problem: 'unreachable' };
  if (outcome.kind === 'rejected') {
    const explanation = explainError(outcome.code);
    return explanation.kind === 'over'
      ? { kind: 'rejected', reason: explanation.reason }
      : { kind: 'failed', problem: explanation.problem };
  }
  const email = findText(outcome.json, 'email');
  // The link was manipulated if its mode does not match the kind of its code.
  if (outcome.json['requestType'] !== REQUEST_TYPES[mode] || email === undefined)
    return { kind: 'rejected', reason: 'invalidCode' };
  if (mode === 'resetPassword') return { kind: 'newPassword', email, policy };
  return { kind: 'confirm', email, change: describeChange(mode, email, outcome.json) };
}

async function readPolicy(fetch: Fetch, { apiKey, tenantId }: ActionLink): Promise<PasswordPolicy> {
  const outcome = await call(fetch, { path: '/v2/passwordPolicy', apiKey, tenantId });
  // The list of requirements is only a help; the server decides whether it accepts a password.
  return outcome.kind === 'answered' ? parsePasswordPolicy(outcome.json) : LEAST_POLICY;
}

function describeChange(kind: Change['kind'], address: string, json: JsonRecord): Change {
  const email = maskEmail(address);
  switch (kind) {
    case 'verifyEmail':
    case 'recoverEmail':
      return { kind, email };
    case 'verifyAndChangeEmail':
      return { kind, email, newEmail: maskEmail(findText(json, 'newEmail') ?? '') };
    case 'revertSecondFactorAddition':
      return { kind, email, factor: describeFactor(findRecord(json, 'mfaInfo') ?? {}) };
    default:
      return kind satisfies never;
  }
}

function describeFactor(json: JsonRecord): Factor {
  const name = findText(json, 'displayName');
  if (name !== undefined) return { kind: 'named', name };
  const phone = findText(json, 'phoneInfo');
  return phone === undefined ? { kind: 'authenticator' } : { kind: 'phone', number: maskPhone(phone) };
}

/** The outcome of using a code. */
export type UsedCode = { readonly kind: 'used' } | Explanation;

/**
 * Runs the action of the link. This uses up the code. Emails about the change are sent in the language of the page.
 */
export function applyCode(
  fetch: Fetch,
  { apiKey, oobCode, tenantId }: ActionLink,
  language: string,
): Promise<UsedCode> {
  return submit(fetch, { path: '/v1/accounts:update', apiKey, body: { oobCode, tenantId }, language });
}

/** Sets the password, and uses up the code if the server accepts it. The server sends a notification email. */
export function savePassword(
  fetch: Fetch,
  { apiKey, oobCode, tenantId }: ActionLink,
  newPassword: string,
  language: string,
): Promise<UsedCode> {
  const body = { oobCode, newPassword, tenantId };
  return submit(fetch, { path: '/v1/accounts:resetPassword', apiKey, body, language });
}

async function submit(fetch: Fetch, request: CallRequest): Promise<UsedCode> {
  const outcome = await call(fetch, request);
  switch (outcome.kind) {
    case 'answered':
      return { kind: 'used' };
    case 'rejected':
      return explainError(outcome.code);
    case 'unreachable':
      return { kind: 'again', problem: 'unreachable' };
    default:
      return outcome satisfies never;
  }
}
