import type { Claims } from './claims.ts';
import { withoutReservedClaims } from './custom-claims.ts';
import { tokenIssuer } from './token-use.ts';

export const ID_TOKEN_LIFETIME_SEC = 3_600;

/** The second factor that somebody signed in with. */
export interface UsedSecondFactor {
  /** `totp`, `phone`. */
  readonly kind: string;
  readonly enrollmentId: string;
}

/** An account and one of its sessions, as far as they appear in ID tokens. */
export interface IdTokenSubject {
  readonly projectId: string;
  readonly tenantId: string | undefined;
  readonly uid: string;
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  readonly phoneNumber: string | undefined;
  readonly displayName: string | undefined;
  readonly photoUrl: string | undefined;
  /** Ids of the account at other providers: `{ "google.com": ["123"] }`. */
  readonly identities: Readonly<Record<string, readonly string[]>>;
  /** How the session began: `password`, `anonymous`, `custom`, … */
  readonly signInProvider: string;
  readonly secondFactor: UsedSecondFactor | undefined;
  /** Given to the account by an administrator. */
  readonly customClaims: Claims;
  /** Given to the session by a custom token; they come before those of the account. */
  readonly sessionClaims: Claims;
  /** When the session began, in seconds since 1970. */
  readonly authTimeSec: number;
}

/** What an ID token says that is issued now. Members that are `undefined` are left out of the token. */
export function idTokenClaims(subject: IdTokenSubject, nowSec: number): Claims {
  const { projectId, uid, email, signInProvider } = subject;
  return {
    name: subject.displayName,
    picture: subject.photoUrl,
    ...withoutReservedClaims({ ...subject.customClaims, ...subject.sessionClaims }),
    email,
    email_verified: email === undefined ? undefined : subject.isEmailVerified,
    phone_number: subject.phoneNumber,
    provider_id: signInProvider === 'anonymous' ? signInProvider : undefined,
    auth_time: subject.authTimeSec,
    user_id: uid,
    firebase: {
      identities: {
        email: email === undefined ? undefined : [email],
        phone: subject.phoneNumber === undefined ? undefined : [subject.phoneNumber],
        ...subject.identities,
      },
      sign_in_provider: signInProvider,
      sign_in_second_factor: subject.secondFactor?.kind,
      second_factor_identifier: subject.secondFactor?.enrollmentId,
      tenant: subject.tenantId,
    },
    iss: tokenIssuer('idToken', projectId),
    aud: projectId,
    sub: uid,
    iat: nowSec,
    exp: nowSec + ID_TOKEN_LIFETIME_SEC,
  };
}
