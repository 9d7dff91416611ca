import { CHALLENGE_CODES } from '../action/proofs.ts';

/** Problems whose texts the page for email links also shows. */
const SHARED = ['weakPassword', 'tooManyAttempts', 'unreachable', 'unexpected'] as const;

export type SharedProblem = (typeof SHARED)[number];

/** Problems for which the hosted pages have texts of their own. */
const OWN = [
  'wrongPassword',
  'emailTaken',
  'invalidEmail',
  'invalidPhone',
  'disabled',
  'notAllowed',
  'wrongCode',
  'expired',
  'challenge',
  'passkeyCancelled',
  'passkeyUnknown',
  'smsRejected',
  'providerCanceled',
  'providerFailed',
  'accountExists',
  'linkInvalid',
  'otherAddress',
] as const;

export type OwnProblem = (typeof OWN)[number];

/** Problems that only the account page has. */
const OF_ACCOUNT = [
  'tooOld',
  'unverifiedEmail',
  'limitReached',
  'passkeyNotCreated',
  'identityTaken',
] as const;

export type AccountProblem = (typeof OF_ACCOUNT)[number];

/** Why a request failed. The user may retry it. */
export type Problem = SharedProblem | OwnProblem | AccountProblem;

const BY_CODE: Readonly<Record<string, Problem>> = {
  INVALID_LOGIN_CREDENTIALS: 'wrongPassword',
  INVALID_PASSWORD: 'wrongPassword',
  EMAIL_NOT_FOUND: 'wrongPassword',
  EMAIL_EXISTS: 'emailTaken',
  INVALID_EMAIL: 'invalidEmail',
  INVALID_PHONE_NUMBER: 'invalidPhone',
  USER_DISABLED: 'disabled',
  OPERATION_NOT_ALLOWED: 'notAllowed',
  PASSWORD_LOGIN_DISABLED: 'notAllowed',
  ADMIN_ONLY_OPERATION: 'notAllowed',
  PROJECT_DISABLED: 'notAllowed',
  WEAK_PASSWORD: 'weakPassword',
  PASSWORD_DOES_NOT_MEET_REQUIREMENTS: 'weakPassword',
  TOO_MANY_ATTEMPTS_TRY_LATER: 'tooManyAttempts',
  RESET_PASSWORD_EXCEED_LIMIT: 'tooManyAttempts',
  QUOTA_EXCEEDED: 'tooManyAttempts',
  INVALID_CODE: 'wrongCode',
  INVALID_VERIFICATION_CODE: 'wrongCode',
  SESSION_EXPIRED: 'expired',
  INVALID_SESSION_INFO: 'expired',
  INVALID_MFA_PENDING_CREDENTIAL: 'expired',
  TOKEN_EXPIRED: 'expired',
  INVALID_OOB_CODE: 'linkInvalid',
  EXPIRED_OOB_CODE: 'linkInvalid',
  ...Object.fromEntries(CHALLENGE_CODES.map((code) => [code, 'challenge' as const])),
  PASSKEY_CREDENTIAL_NOT_FOUND: 'passkeyUnknown',
  BILLING_NOT_ENABLED: 'smsRejected',
  CREDENTIAL_TOO_OLD_LOGIN_AGAIN: 'tooOld',
  UNVERIFIED_EMAIL: 'unverifiedEmail',
  SECOND_FACTOR_EXISTS: 'limitReached',
  SECOND_FACTOR_LIMIT_EXCEEDED: 'limitReached',
  PASSKEY_LIMIT_EXCEEDED: 'limitReached',
  UNSUPPORTED_FIRST_FACTOR: 'notAllowed',
  INVALID_NEW_EMAIL: 'invalidEmail',
  INVALID_IDP_RESPONSE: 'providerFailed',
  FEDERATED_USER_ID_ALREADY_LINKED: 'identityTaken',
  INVALID_ID_TOKEN: 'expired',
  USER_NOT_FOUND: 'expired',
};

/** Explains an error code of the server. Unknown codes are unexpected problems. */
export function explainProblem(code: string): Problem {
  return BY_CODE[code] ?? 'unexpected';
}

export function isOfAccount(problem: Problem): problem is AccountProblem {
  return OF_ACCOUNT.some((known) => known === problem);
}

export function isShared(problem: Problem): problem is SharedProblem {
  return SHARED.some((shared) => shared === problem);
}
