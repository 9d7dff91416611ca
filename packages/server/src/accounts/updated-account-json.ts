import type { Account } from './account.ts';
import type { JsonObject } from './fields.ts';
import { providerUserInfo, REDACTED_HASH } from './user-json.ts';

/** An account as a change of it is answered: some of `userJson`. */
export function updatedAccountJson(account: Account): JsonObject {
  const { uid, email, isEmailVerified, displayName, photoUrl, password } = account;
  return {
    kind: 'identitytoolkit#SetAccountInfoResponse',
    localId: uid,
    email: email ?? undefined,
    emailVerified: email === null ? undefined : isEmailVerified,
    displayName: displayName ?? undefined,
    photoUrl: photoUrl ?? undefined,
    providerUserInfo: providerUserInfo(account),
    passwordHash: password === null ? undefined : REDACTED_HASH,
  };
}
