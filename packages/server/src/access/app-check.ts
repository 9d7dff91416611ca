/** The result of the App Check of a request to a database. */
export type DatabaseAppCheckResult =
  | { readonly kind: 'valid'; readonly expiresAtMs: number }
  | { readonly kind: 'missing' }
  | { readonly kind: 'invalid' };

/** Decides whether clients of a database are apps of its project. */
export interface DatabaseAppCheck {
  /**
   * Returns whether the server ignores tokens, only counts invalid ones, or requires valid ones. Cheap enough for every
   * request.
   */
  modeOf(database: string): 'off' | 'monitor' | 'enforce';
  /** Checks a token, and counts the result. An empty text, `null` and `undefined` mean that there is no token. */
  check(database: string, token: string | null | undefined): DatabaseAppCheckResult;
  /** Records in the audit log that a client was rejected. */
  recordRejection(database: string, result: 'missing' | 'invalid', address: string): void;
  /** Returns how many requests of apps there were since the start of the server, by service and kind of token. */
  totals(): readonly AppCheckTotal[];
}

export interface AppCheckTotal {
  readonly service: string;
  readonly kind: string;
  readonly count: number;
}

/** App Check is off for every database. */
export const NO_APP_CHECK: DatabaseAppCheck = {
  modeOf: () => 'off',
  check: () => ({ kind: 'missing' }),
  recordRejection: () => undefined,
  totals: () => [],
};
