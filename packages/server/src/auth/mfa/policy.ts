import type { RecordStoreView } from '../../records/store.ts';
import type { Account, SecondFactor } from '../accounts/account.ts';
import { AuthApiError } from '../errors.ts';
import type { Project, ProjectSettings } from '../projects/project.ts';
import { isMember } from '../roles/member-store.ts';
import { requireRecentSignIn } from '../sign-in/current-user.ts';
import type { VerifiedToken } from '../tokens/id-token.ts';
import type { FactorKind } from './factor.ts';

/**
 * Returns whether an account in the project may use second factors of a kind. Members may use the kinds for members
 * regardless of the project's settings, because the console requires a second factor.
 */
export function isOffered(
  view: RecordStoreView,
  kind: FactorKind,
  { scope, settings }: Pick<Project, 'scope' | 'settings'>,
  uid: string,
): boolean {
  return isOfferedToAll(kind, settings) || (kind.isForMembers && isMember(view, scope, uid));
}

/** Like `isOffered`, for all accounts of a project with these settings. */
export function isOfferedToAll(kind: FactorKind, settings: ProjectSettings): boolean {
  return settings.secondFactor.state !== 'DISABLED' && kind.isOffered(settings);
}

export function requireOffered(
  view: RecordStoreView,
  kind: FactorKind,
  project: Pick<Project, 'scope' | 'settings'>,
  uid: string,
): void {
  if (!isOffered(view, kind, project, uid)) throw new AuthApiError('OPERATION_NOT_ALLOWED', kind.notOffered);
}

/** Throws if the address of the account is not verified. */
export function requireVerifiedEmail({ email, isEmailVerified }: Account): void {
  if (email === null || !isEmailVerified)
    throw new AuthApiError('UNVERIFIED_EMAIL', 'Need to verify email first before enrolling second factors.');
}

/** Maximum number of second factors of one account. */
export const MAX_FACTORS = 5;

/**
 * Sign-in methods that are not a first factor: they prove nothing, use the means of a second factor, or prove
 * the identity to another party.
 */
const NO_FIRST_FACTORS: ReadonlySet<string> = new Set([
  'anonymous',
  'phone',
  'custom',
  'gc.apple.com',
  'playgames.google.com',
]);

/**
 * Throws if the account may not enroll a second factor of the kind: the sign-in method does not allow it, the
 * sign-in is not recent, the address is not verified, or the account has too many factors.
 */
export function requireEnrollmentAllowed(
  account: Account,
  token: VerifiedToken,
  { name, onlyOne }: FactorKind,
  nowMs: number,
): void {
  if (NO_FIRST_FACTORS.has(token.signInProvider))
    throw new AuthApiError('UNSUPPORTED_FIRST_FACTOR', 'MFA is not available for the given first factor.');
  requireRecentSignIn(account, token, nowMs);
  requireVerifiedEmail(account);
  if (onlyOne !== null && account.factors.some(({ kind }) => kind === name))
    throw new AuthApiError('SECOND_FACTOR_EXISTS', onlyOne);
  if (account.factors.length >= MAX_FACTORS) throw new AuthApiError('SECOND_FACTOR_LIMIT_EXCEEDED');
}

/**
 * Throws if the session used neither a second factor nor a recovery code: otherwise the first factor would be
 * enough to remove the second. Exception: every session may remove a factor that was enrolled after the session
 * started. The caller checks that the sign-in is recent.
 */
export function requireWithdrawalAllowed(
  { enrolledAtMs }: SecondFactor,
  { secondFactor, authTimeSec }: VerifiedToken,
): void {
  if (secondFactor !== undefined || enrolledAtMs >= authTimeSec * 1_000) return;
  throw new AuthApiError('CREDENTIAL_TOO_OLD_LOGIN_AGAIN', 'Sign in with the second factor first.');
}
