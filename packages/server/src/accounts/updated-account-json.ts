import type { Account } from './account.ts';
import type { JsonObject } from './fields.ts';
import { providerUserInfo, REDACTED_HASH, withoutNothing } from './user-json.ts';

/** An account as a change of it is answered: some of `userJson`. */
export function updatedAccountJson(account: Account): JsonObject {
  const { uid, email, isEmailVerified, displayName, photoUrl, password } = account;
  return withoutNothing({
    kind: 'identitytoolkit#SetAccountInfoResponse',
    localId: uid,
    email,
    emailVerified: email === null ? null : isEmailVerified,
    displayName,
    photoUrl,
    providerUserInfo: providerUserInfo(account),
    passwordHash: password === null ? null : REDACTED_HASH,
  });
}
