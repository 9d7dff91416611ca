import type { RecordStoreView } from '../../records/store.ts';
import { type Account, isAnonymous } from '../accounts/account.ts';
import { AuthApiError } from '../errors.ts';
import { SECOND_FACTORS } from '../mfa/kinds.ts';
import { isOffered } from '../mfa/policy.ts';
import type { AuthRequest } from '../request.ts';
import { requireRecentSignIn } from '../sign-in/current-user.ts';
import { claimsForProvider, type SignInClaims } from '../sign-in/session.ts';
import { requireSignUpPermitted } from '../sign-up-rules/apply-sign-up-rules.ts';
import type { VerifiedToken } from '../tokens/id-token.ts';
import { MAX_PASSKEYS, PASSKEY, passkeyKey } from './passkey.ts';

/** Throws if the project does not offer passkeys. */
export function requirePasskeysOffered({ project }: AuthRequest): void {
  if (!project.settings.passkeys.isEnabled) throw new AuthApiError('OPERATION_NOT_ALLOWED');
}

/**
 * Returns the claims of a sign-in with a passkey. An authenticator that has verified the user, by a finger or a code,
 * is two factors: the device and the user.
 */
export function claimsOfPasskey(credentialId: string, isUserVerified: boolean): SignInClaims {
  const secondFactor = isUserVerified ? { kind: PASSKEY, enrollmentId: passkeyKey(credentialId) } : null;
  return { ...claimsForProvider(PASSKEY), secondFactor };
}

/**
 * Throws if the account may not get another passkey: the sign-in is not recent, the account is anonymous and the
 * project or its rules for sign-up do not allow that, or there are too many. An account with a second factor needs a
 * sign-in that used one, because a passkey replaces the second factor.
 */
export function requirePasskeyAllowed(
  view: RecordStoreView,
  call: AuthRequest,
  account: Account,
  token: VerifiedToken,
  nowMs: number,
): void {
  const { project } = call;
  requireRecentSignIn(account, token, nowMs);
  if (isAnonymous(account) && !project.settings.passkeys.areAnonymousAllowed)
    throw new AuthApiError('OPERATION_NOT_ALLOWED', 'Anonymous users cannot add passkeys in this project.');
  requireSignUpPermitted(call, account, { email: account.email, provider: PASSKEY });
  const needsFactor = account.factors.some(({ kind }) =>
    isOffered(view, SECOND_FACTORS[kind], project, account.uid),
  );
  if (needsFactor && token.secondFactor === undefined)
    throw new AuthApiError('CREDENTIAL_TOO_OLD_LOGIN_AGAIN', 'Sign in with the second factor first.');
  if (account.passkeys.length >= MAX_PASSKEYS)
    throw new AuthApiError('PASSKEY_LIMIT_EXCEEDED', `An account has at most ${MAX_PASSKEYS} passkeys.`);
}
