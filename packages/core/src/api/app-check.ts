/**
 * Whether a service requires App Check tokens. `OFF`: the server ignores tokens. `UNENFORCED`: requests are counted by
 * the kind of their token. `ENFORCED`: requests without a valid token are rejected too. The names are those of the
 * official service.
 */
export const APP_CHECK_MODES = ['OFF', 'UNENFORCED', 'ENFORCED'] as const;
export type AppCheckMode = (typeof APP_CHECK_MODES)[number];

/**
 * The methods that a project can protect with tokens for one request each, without the version in their paths. The method
 * that resets a password is none of them: it needs the code of an email, which is valid once.
 */
export const LIMITED_USE_METHODS = [
  'accounts:signUp',
  'accounts:signInWithPassword',
  'accounts:signInWithEmailLink',
  'accounts:signInWithPhoneNumber',
  'accounts:signInWithIdp',
  'accounts:signInWithCustomToken',
  'accounts:sendOobCode',
  'accounts:sendVerificationCode',
  'accounts:update',
  'accounts:delete',
] as const;
export type LimitedUseMethod = (typeof LIMITED_USE_METHODS)[number];

/** Maximum number of apps of a project that get App Check tokens. */
export const MAX_APPS = 100;

/** Official app IDs have this alphabet. The ID is part of addresses. */
const APP_ID = /^[A-Za-z0-9][A-Za-z0-9:._-]{0,127}$/;

export function isAppId(text: unknown): text is string {
  return typeof text === 'string' && APP_ID.test(text);
}
