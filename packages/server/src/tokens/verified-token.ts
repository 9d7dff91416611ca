import { type Claims, isClaims } from './claims.ts';
import type { UsedSecondFactor } from './id-token.ts';
import { MAX_UID_LENGTH } from './uid.ts';

/** What an accepted token says. */
export interface VerifiedToken {
  readonly uid: string;
  readonly tenantId: string | undefined;
  readonly signInProvider: string;
  readonly secondFactor: UsedSecondFactor | undefined;
  /** Seconds since 1970; 0 in tokens of tests that say none. */
  readonly issuedAtSec: number;
  readonly expiresAtSec: number;
  /** When the session began. */
  readonly authTimeSec: number;
  /** All of it. */
  readonly claims: Claims;
}

/** The fields of a token; `undefined` when it names no user. */
export function findVerifiedToken(claims: Claims): VerifiedToken | undefined {
  const uid = findText(claims, 'sub') ?? findText(claims, 'user_id');
  if (uid === undefined || uid.length > MAX_UID_LENGTH) return undefined;
  const firebase = isClaims(claims['firebase']) ? claims['firebase'] : {};
  return {
    uid,
    tenantId: findText(firebase, 'tenant'),
    signInProvider: findText(firebase, 'sign_in_provider') ?? 'custom',
    secondFactor: findSecondFactor(firebase),
    issuedAtSec: secondsOf(claims, 'iat'),
    expiresAtSec: secondsOf(claims, 'exp'),
    authTimeSec: secondsOf(claims, 'auth_time'),
    claims,
  };
}

function findSecondFactor(firebase: Claims): UsedSecondFactor | undefined {
  const kind = findText(firebase, 'sign_in_second_factor');
  const enrollmentId = findText(firebase, 'second_factor_identifier');
  return kind === undefined || enrollmentId === undefined ? undefined : { kind, enrollmentId };
}

function findText(claims: Claims, name: string): string | undefined {
  const value = claims[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function secondsOf(claims: Claims, name: string): number {
  const value = claims[name];
  return typeof value === 'number' ? value : 0;
}
