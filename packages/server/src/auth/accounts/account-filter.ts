import { isJsonObject } from '../fields.ts';
import { type Account, isAnonymous } from './account.ts';

export const ACCOUNT_STATES = ['enabled', 'disabled', 'verified', 'unverified'] as const;

export type AccountState = (typeof ACCOUNT_STATES)[number];

/** Properties of accounts that a list shows. An account must have all that are given. */
export interface AccountFilter {
  /** `verified` and `unverified` are about the email address of accounts that have one. */
  readonly state?: AccountState;
  /**
   * The ID of a provider, such as `google.com`, or `password`, `phone`, `passkey`, `custom` for custom tokens, or
   * `anonymous`.
   */
  readonly provider?: string;
  /** The name of a custom claim, and its value as text; `null` for any value except `false`. */
  readonly claim?: { readonly name: string; readonly value: string | null };
  /** Bounds of the last sign-in, in ms since 1970; `from` is included and `to` is not. Accounts without a sign-in do not match. */
  readonly seen?: { readonly fromMs: number; readonly toMs: number } | 'never';
}

/** Returns whether an account has all properties of a filter. */
export function isMatch(account: Account, { state, provider, claim, seen }: AccountFilter): boolean {
  return (
    (state === undefined || hasState(account, state)) &&
    (provider === undefined || hasProvider(account, provider)) &&
    (claim === undefined || hasClaim(account, claim)) &&
    (seen === undefined || wasSeen(account, seen))
  );
}

function hasState({ isDisabled, email, isEmailVerified }: Account, state: AccountState): boolean {
  switch (state) {
    case 'enabled':
      return !isDisabled;
    case 'disabled':
      return isDisabled;
    case 'verified':
      return email !== null && isEmailVerified;
    case 'unverified':
      return email !== null && !isEmailVerified;
    default:
      return state satisfies never;
  }
}

function hasProvider(account: Account, provider: string): boolean {
  switch (provider) {
    case 'password':
      return account.password !== null;
    case 'phone':
      return account.phoneNumber !== null;
    case 'passkey':
      return account.passkeys.length > 0;
    case 'custom':
      return account.isCustomAuth;
    case 'anonymous':
      return isAnonymous(account);
    default:
      return account.identities.some(({ providerId }) => providerId === provider);
  }
}

function hasClaim(
  { customAttributes }: Account,
  { name, value }: NonNullable<AccountFilter['claim']>,
): boolean {
  if (customAttributes === null) return false;
  const claims: unknown = JSON.parse(customAttributes);
  if (!isJsonObject(claims) || !Object.hasOwn(claims, name)) return false;
  const found = claims[name];
  if (value === null) return found !== false && found !== null;
  if (Array.isArray(found)) return found.some((item) => printClaim(item) === value);
  return printClaim(found) === value;
}

function printClaim(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function wasSeen({ lastLoginAtMs }: Account, seen: NonNullable<AccountFilter['seen']>): boolean {
  if (seen === 'never' || lastLoginAtMs === null) return seen === 'never' && lastLoginAtMs === null;
  return lastLoginAtMs >= seen.fromMs && lastLoginAtMs < seen.toMs;
}
