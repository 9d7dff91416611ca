/**
 * Whether a service requires App Check tokens. `OFF`: the server ignores tokens. `UNENFORCED`: requests are counted by
 * the kind of their token. `ENFORCED`: requests without a valid token are rejected too. The names are those of the
 * official service.
 */
export const APP_CHECK_MODES = ['OFF', 'UNENFORCED', 'ENFORCED'] as const;
export type AppCheckMode = (typeof APP_CHECK_MODES)[number];

/** The services that can require App Check tokens: sign-in and accounts, and the databases of the project. */
export const APP_CHECK_SERVICES = ['accounts', 'database'] as const;
export type AppCheckService = (typeof APP_CHECK_SERVICES)[number];

/** The services for which a project requires App Check tokens, and the apps that can get one. */
export interface ProjectAppCheck extends Readonly<Record<AppCheckService, AppCheckMode>> {
  /** The IDs of the apps, such as `1:1234:web:abcd`. */
  readonly apps: readonly string[];
  /** The methods that need a token of their own for each request. */
  readonly limitedUse: readonly LimitedUseMethod[];
}

/** The methods that a project can protect with tokens for one request each, without the version in their paths. */
export const LIMITED_USE_METHODS = [
  'accounts:signUp',
  'accounts:signInWithPassword',
  'accounts:signInWithEmailLink',
  'accounts:signInWithPhoneNumber',
  'accounts:signInWithIdp',
  'accounts:signInWithCustomToken',
  'accounts:sendOobCode',
  'accounts:sendVerificationCode',
  'accounts:resetPassword',
  'accounts:update',
  'accounts:delete',
] as const;
export type LimitedUseMethod = (typeof LIMITED_USE_METHODS)[number];

/** How long a token for one request is valid, in s. */
export const LIMITED_USE_SEC = 300;

export const INITIAL_APP_CHECK: ProjectAppCheck = {
  accounts: 'OFF',
  database: 'OFF',
  apps: [],
  limitedUse: [],
};

/** Maximum number of apps of a project that get App Check tokens. */
export const MAX_APPS = 100;

/** Official app IDs have this alphabet. The ID is part of addresses. */
const APP_ID = /^[A-Za-z0-9][A-Za-z0-9:._-]{0,127}$/;

export function isAppId(text: unknown): text is string {
  return typeof text === 'string' && APP_ID.test(text);
}
