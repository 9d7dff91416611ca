import type { Problem, RefusalReason } from './action-screen.ts';

/** What the server's refusal means for the reader: the link is over, or the step may be taken again. */
export type Explanation =
  | { readonly kind: 'over'; readonly reason: RefusalReason }
  | { readonly kind: 'again'; readonly problem: Problem };

const OVER: Readonly<Record<string, RefusalReason>> = {
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

/** A code that is not known says that something is wrong which the reader can do nothing about. */
export function explainRefusal(code: string): Explanation {
  const reason = OVER[code];
  return reason === undefined
    ? { kind: 'again', problem: AGAIN[code] ?? 'unexpected' }
    : { kind: 'over', reason };
}
