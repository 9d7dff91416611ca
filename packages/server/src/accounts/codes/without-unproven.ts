import type { Account } from '../account.ts';

/**
 * An account once somebody has proved that its address is theirs, without what somebody else may have put there before: ways
 * to sign in from a time when nobody had proved that. Whoever signs up with another's address so gains nothing.
 */
export function withoutUnproven(account: Account): Account {
  const identities = account.identities.filter(({ wasLinkedVerified }) => wasLinkedVerified);
  if (account.isEmailVerified) return { ...account, identities };
  return {
    ...account,
    identities,
    password: null,
    passwordUpdatedAtMs: null,
    phoneNumber: null,
    factors: [],
    recoveryCodes: [],
  };
}
