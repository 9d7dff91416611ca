import type { JsonObject } from './fields.ts';

/** An identity at another provider by which somebody may sign in. Unique by provider and id. */
export interface FederatedIdentity {
  readonly providerId: string;
  /** What the provider calls the person. */
  readonly rawId: string;
  readonly email: string | null;
  readonly displayName: string | null;
  readonly photoUrl: string | null;
  readonly screenName: string | null;
  /** Was the account's own address verified when this was linked? */
  readonly wasLinkedVerified: boolean;
}

/** A second proof that an account asks for. */
export type SecondFactor = {
  readonly enrollmentId: string;
  readonly displayName: string | null;
  readonly enrolledAtMs: number;
} & (
  | { readonly kind: 'totp'; readonly sealedSecret: string; readonly lastStep: number }
  | { readonly kind: 'phone'; readonly phoneNumber: string }
);

/** Somebody who signs in to a project's app. */
export interface Account {
  /** Unique in the project, 1 to 128 characters. */
  readonly uid: string;
  /** As `parseEmail` gives it. Unique in the project. */
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly displayName: string | null;
  readonly photoUrl: string | null;
  /** As E.164. Unique in the project. */
  readonly phoneNumber: string | null;
  /** `encodePasswordHash` of it. */
  readonly password: JsonObject | null;
  readonly passwordUpdatedAtMs: number | null;
  /** Did a code that was mailed to the address set the password? Nobody who does not read those mails then knows it. */
  readonly isPasswordProven: boolean;
  readonly isDisabled: boolean;
  /** JSON text of an object: what tokens say beside what Hearth knows. */
  readonly customAttributes: string | null;
  /** Tokens from before this second count no more. */
  readonly validSinceSec: number;
  readonly createdAtMs: number;
  readonly lastLoginAtMs: number | null;
  readonly lastRefreshAtMs: number | null;
  /** The address that the account had before its first change of address. */
  readonly initialEmail: string | null;
  /** Has somebody signed in by a link in a mail? */
  readonly hasEmailLink: boolean;
  /** Did a custom token make the account? */
  readonly isCustomAuth: boolean;
  readonly identities: readonly FederatedIdentity[];
  readonly factors: readonly SecondFactor[];
  /** Hashes, sealed or not, of codes that stand in for a lost second factor; each works once. */
  readonly recoveryCodes: readonly string[];
}

/** Is there nothing by which somebody could sign in to an account? */
export function isAnonymous({ email, phoneNumber, password, isCustomAuth, identities }: Account): boolean {
  return (
    email === null && phoneNumber === null && password === null && !isCustomAuth && identities.length === 0
  );
}

/** An account that nothing is known of but its name. */
export function emptyAccount(uid: string, nowMs: number): Account {
  return {
    uid,
    email: null,
    isEmailVerified: false,
    displayName: null,
    photoUrl: null,
    phoneNumber: null,
    password: null,
    passwordUpdatedAtMs: null,
    isPasswordProven: false,
    isDisabled: false,
    customAttributes: null,
    validSinceSec: Math.floor(nowMs / 1000),
    createdAtMs: nowMs,
    lastLoginAtMs: null,
    lastRefreshAtMs: null,
    initialEmail: null,
    hasEmailLink: false,
    isCustomAuth: false,
    identities: [],
    factors: [],
    recoveryCodes: [],
  };
}
