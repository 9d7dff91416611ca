import { ApiError } from './api-error.ts';

/** Why somebody could not sign in, as far as it makes a difference to what they can do about it. */
export type SignInProblem =
  | 'wrong'
  | 'wrong-code'
  | 'throttled'
  | 'disabled'
  | 'offline'
  | 'too-late'
  | 'not-allowed'
  | 'other';

/** By the codes of the SDK. */
const PROBLEMS: Readonly<Record<string, SignInProblem>> = {
  'auth/invalid-credential': 'wrong',
  'auth/invalid-email': 'wrong',
  'auth/user-not-found': 'wrong',
  'auth/wrong-password': 'wrong',
  'auth/invalid-verification-code': 'wrong-code',
  'auth/missing-verification-code': 'wrong-code',
  'auth/missing-code': 'wrong-code',
  'auth/too-many-requests': 'throttled',
  'auth/user-disabled': 'disabled',
  'auth/network-request-failed': 'offline',
  'auth/code-expired': 'too-late',
  'auth/invalid-multi-factor-session': 'too-late',
  'auth/totp-challenge-timeout': 'too-late',
  'auth/requires-recent-login': 'too-late',
  'auth/user-token-expired': 'too-late',
  'auth/operation-not-allowed': 'not-allowed',
};

export function signInProblemOf(error: unknown): SignInProblem {
  if (error instanceof ApiError) return error.status === 0 ? 'offline' : 'other';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return PROBLEMS[code] ?? 'other';
}
