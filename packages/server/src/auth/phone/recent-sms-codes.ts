import { type AccountScope, nameOfScope } from '../tenants/scope.ts';

/** Maximum number of stored codes. When it is reached, the next code replaces the oldest one. */
const MAX_RECENT_CODES = 1_000;

/** A code in clear text. */
export interface RecentSmsCode {
  /** The scope in which the code is valid. */
  readonly scope: AccountScope;
  readonly phoneNumber: string;
  readonly code: string;
  readonly sessionInfo: string;
}

/**
 * Stores codes in memory, so that tests of apps can read them as from the official emulator. Development mode
 * only.
 */
export class RecentSmsCodes {
  /** Codes by `sessionInfo`, oldest first. */
  readonly #codes = new Map<string, RecentSmsCode>();

  record(recent: RecentSmsCode): void {
    this.#codes.set(recent.sessionInfo, recent);
    if (this.#codes.size > MAX_RECENT_CODES)
      for (const oldest of this.#codes.keys().take(1)) this.#codes.delete(oldest);
  }

  /** Returns the codes of a scope, the oldest first. Some may have been used. */
  list(scope: AccountScope): readonly RecentSmsCode[] {
    const name = nameOfScope(scope);
    return [...this.#codes.values()].filter((recent) => nameOfScope(recent.scope) === name);
  }
}
