import type { Account } from './account.ts';

/** An account without its address; a link in a mail signs nobody in to it any more. */
export function withoutEmail(account: Account): Account {
  return {
    ...account,
    email: null,
    isEmailVerified: false,
    isPasswordProven: false,
    hasEmailLink: false,
    initialEmail: account.initialEmail ?? account.email,
  };
}

/** An account with an address, which may be its own. It remembers the one that it had before its first change, if any. */
export function withEmail(account: Account, email: string, isEmailVerified: boolean): Account {
  if (email === account.email) return { ...account, isEmailVerified };
  return {
    ...account,
    email,
    isEmailVerified,
    isPasswordProven: false,
    initialEmail: account.initialEmail ?? account.email,
  };
}
