import { MAX_CUSTOM_CLAIMS_LENGTH, RESERVED_CLAIMS } from '@hearth/core/api/custom-claims.ts';
import type { AccountScope } from '../tenants/scope.ts';
import { type Claims, isClaims, parseClaims, TokenProblem } from './jwt.ts';

/** Claims that identify the user. Only the account itself provides them. */
const OF_THE_ACCOUNT: readonly string[] = [
  'user_id',
  'email',
  'email_verified',
  'phone_number',
  'provider_id',
];

const WITHHELD: ReadonlySet<string> = new Set([...RESERVED_CLAIMS, ...OF_THE_ACCOUNT]);

/**
 * Returns custom claims that an app sets on an account or a session. Throws `INVALID_CLAIMS` if they are not an
 * object, and `FORBIDDEN_CLAIM` for a reserved name.
 */
export function requireCustomClaims(json: unknown): Claims {
  if (!isClaims(json)) throw new TokenProblem('INVALID_CLAIMS');
  const reserved = RESERVED_CLAIMS.find((name) => Object.hasOwn(json, name));
  if (reserved !== undefined) throw new TokenProblem('FORBIDDEN_CLAIM', reserved);
  return json;
}

/**
 * Parses the custom claims of an account from JSON text. Throws `CLAIMS_TOO_LARGE` if the text is too long, and
 * the errors of `requireCustomClaims`.
 */
export function parseCustomClaims(text: string): Claims {
  if (text.length > MAX_CUSTOM_CLAIMS_LENGTH) throw new TokenProblem('CLAIMS_TOO_LARGE');
  return requireCustomClaims(parseOrReject(text));
}

/** Returns the claims without those whose value only the server decides: the reserved ones and those of the account. */
export function withoutWithheldClaims(claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !WITHHELD.has(name)));
}

function parseOrReject(text: string): Claims {
  try {
    return parseClaims(text);
  } catch (cause) {
    throw new TokenProblem('INVALID_CLAIMS', undefined, cause);
  }
}

/**
 * The purpose of a token. Each use has its own issuer and signing keys, so that a token of one use is not
 * accepted for another.
 */
export const TOKEN_USES = ['idToken', 'sessionCookie', 'appCheck'] as const;
export type TokenUse = (typeof TOKEN_USES)[number];

/** Prefixes of issuers, fixed in the verifiers of all official clients. The id of the project follows, or its number for App Check. */
const ISSUERS: Readonly<Record<TokenUse, string>> = {
  idToken: 'https://securetoken.google.com/',
  sessionCookie: 'https://session.firebase.google.com/',
  appCheck: 'https://firebaseappcheck.googleapis.com/',
};

export function tokenIssuer(use: TokenUse, project: string): string {
  return `${ISSUERS[use]}${project}`;
}

export const ID_TOKEN_LIFETIME_SEC = 3_600;

/** The second factor with which the user signed in. */
export interface UsedSecondFactor {
  /** `totp` or `phone`. */
  readonly kind: string;
  readonly enrollmentId: string;
}

/** An account and one of its sessions, as far as ID tokens contain them. */
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
  /** How the user signed in: `password`, `anonymous`, `custom`, … */
  readonly signInProvider: string;
  readonly secondFactor: UsedSecondFactor | undefined;
  /** Set on the account by an administrator. */
  readonly customClaims: Claims;
  /** Set on the session by a custom token. They override the custom claims of the account. */
  readonly sessionClaims: Claims;
  /** The statements of another provider about the user at the sign-in, beyond the profile. */
  readonly signInAttributes: Claims | undefined;
  /** When the session started, in seconds since 1970. */
  readonly authTimeSec: number;
}

/**
 * Returns the claims of an ID token that is issued now. Members that are `undefined` are omitted from the
 * token.
 */
export function idTokenClaims(subject: IdTokenSubject, nowSec: number): Claims {
  const { projectId, uid, email, signInProvider } = subject;
  return {
    name: subject.displayName,
    picture: subject.photoUrl,
    ...withoutWithheldClaims({ ...subject.customClaims, ...subject.sessionClaims }),
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
      sign_in_attributes: subject.signInAttributes,
      tenant: subject.tenantId,
    },
    iss: tokenIssuer('idToken', projectId),
    aud: projectId,
    sub: uid,
    iat: nowSec,
    exp: nowSec + ID_TOKEN_LIFETIME_SEC,
  };
}

/** Longest user id, in UTF-16 code units. */
export const MAX_UID_LENGTH = 128;

/**
 * Returns whether a text contains a control character, which would break a line or be invisible. User ids must not
 * contain any.
 */
export function hasControls(text: string): boolean {
  return CONTROL.test(text);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** The content of an accepted token. */
export interface VerifiedToken {
  readonly uid: string;
  readonly tenantId: string | undefined;
  readonly signInProvider: string;
  readonly secondFactor: UsedSecondFactor | undefined;
  /** Seconds since 1970. 0 if the token has no such claim, which only unsigned tokens in tests may lack. */
  readonly issuedAtSec: number;
  /** Seconds since 1970. 0 if the token has no such claim, which only unsigned tokens in tests may lack. */
  readonly expiresAtSec: number;
  /** When the session started, in seconds since 1970. 0 as in `issuedAtSec`. */
  readonly authTimeSec: number;
  /** All claims of the token. */
  readonly claims: Claims;
}

/** Returns the fields of a token, or `undefined` if it has no valid user id. */
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

/** Returns the token. Throws `TENANT_ID_MISMATCH` if its account is in another tenant than that of the scope. */
export function requireScope(token: VerifiedToken, { tenantId }: AccountScope): VerifiedToken {
  if ((token.tenantId ?? null) !== tenantId) throw new TokenProblem('TENANT_ID_MISMATCH');
  return token;
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
