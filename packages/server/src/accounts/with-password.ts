import type { Account } from './account.ts';
import type { JsonObject } from './fields.ts';

/** An account with another password, as `encodePasswordHash` gives it, that no code of a mail has set. */
export function withPassword(account: Account, password: JsonObject, nowMs: number): Account {
  return { ...account, password, passwordUpdatedAtMs: nowMs, isPasswordProven: false };
}
