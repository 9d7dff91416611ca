import type { Account } from '../../server/accounts.ts';

/** What people know an account by: address, number or name; `undefined` for those who never said. */
export function findAccountName({ email, phoneNumber, displayName }: Account): string | undefined {
  return [email, phoneNumber, displayName].find((name) => name !== undefined && name !== '');
}

/** The same, or the user id. */
export function accountName(account: Account): string {
  return findAccountName(account) ?? account.localId;
}

/** Ways to sign in, such as `password` and `google.com`; `anonymous` for accounts without an address or number. */
export function providersOf({ providerUserInfo = [], email }: Account): readonly string[] {
  const ids = providerUserInfo.map(({ providerId }) => providerId);
  return ids.length === 0 && email === undefined ? ['anonymous'] : ids;
}
