/** What the App Check token of a request to a database shows. */
export type DatabaseAppCheckResult =
  | { readonly kind: 'valid'; readonly expiresAtMs: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'invalid' };

/** Decides whether clients of a database are apps of its project. */
export interface DatabaseAppCheck {
  /** Whether tokens are looked at, and required. Cheap enough for every request. */
  modeOf(database: string): 'off' | 'monitor' | 'enforce';
  /** Checks a token, and counts the result. An empty text, `null` and `undefined` are no token. */
  check(database: string, token: string | null | undefined): DatabaseAppCheckResult;
  /** Records in the audit log that a client was rejected. */
  recordRejection(database: string, result: 'missing' | 'invalid', address: string): void;
}

/** No token is looked at. */
export const NO_APP_CHECK: DatabaseAppCheck = {
  modeOf: () => 'off',
  check: () => ({ kind: 'missing' }),
  recordRejection: () => undefined,
};
