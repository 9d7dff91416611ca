import type { RecordTransaction } from '../../records/store.ts';
import type { Account } from '../accounts/account.ts';
import type { JsonObject } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import { createHandover } from '../sign-in/handover.ts';
import type { Session, SignInClaims } from '../sign-in/session.ts';
import { PASSKEY, passkeyKey } from './passkey.ts';

/** Returns the keys of the passkeys that a change removes from an account. */
export function removedPasskeys(before: Account, after: Account): ReadonlySet<string> {
  const left = new Set(after.passkeys.map(({ credentialId }) => credentialId));
  const removed = before.passkeys.filter(({ credentialId }) => !left.has(credentialId));
  return new Set(removed.map(({ credentialId }) => passkeyKey(credentialId)));
}

/**
 * Returns whether a session began with one of these passkeys, or may have: a session with another second factor, or with
 * none, does not say which passkey it began with.
 */
export function mayUsePasskey(
  { provider, secondFactor }: Pick<SignInClaims, 'provider' | 'secondFactor'>,
  passkeys: ReadonlySet<string>,
): boolean {
  if (secondFactor?.kind === PASSKEY) return passkeys.has(secondFactor.enrollmentId);
  return provider === PASSKEY && passkeys.size > 0;
}

/** Returns the claims of a sign-in without its second factor if that was one of these passkeys. */
export function withoutPasskeys(claims: SignInClaims, passkeys: ReadonlySet<string>): SignInClaims {
  const { secondFactor } = claims;
  const isGone = secondFactor?.kind === PASSKEY && passkeys.has(secondFactor.enrollmentId);
  return isGone ? { ...claims, secondFactor: null } : claims;
}

/** Returns the token with which an SDK continues the session that replaces one of a removed passkey. */
export function handOverAfterRemoval(
  records: RecordTransaction,
  call: AuthRequest,
  services: AuthServices,
  session: Session,
  nowMs: number,
): JsonObject {
  return { customToken: createHandover(records, call, services, session, nowMs) };
}
