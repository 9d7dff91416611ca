import type { Account } from '../account.ts';
import type { JsonObject } from '../fields.ts';
import { applyRemoval, removesCredential } from '../removal.ts';
import { withEmail } from '../with-email.ts';
import { withPassword } from '../with-password.ts';
import type { OwnChange } from './own-change.ts';

/** Does a change give an account another address? */
export function changesEmail(account: Account, { email }: OwnChange): boolean {
  return email !== undefined && email !== account.email;
}

/** Does it take the address off an account that has one? */
export function removesEmail(account: Account, { removals }: OwnChange): boolean {
  return account.email !== null && removals.reduce(applyRemoval, account).email === null;
}

/** Does it end the sessions there are, because it changes what they began with? */
export function endsSessions(account: Account, change: OwnChange): boolean {
  return changesEmail(account, change) || change.password !== undefined;
}

/** Does it touch anything that somebody signs in with? */
export function needsProof(account: Account, change: OwnChange): boolean {
  return endsSessions(account, change) || change.removals.some(removesCredential);
}

/**
 * The account after a change; what is removed comes last. `passwordHash` is that of the change's password, and tokens count
 * from `validSinceSec` on.
 */
export function applyOwnChange(
  before: Account,
  change: OwnChange,
  passwordHash: JsonObject | undefined,
  { nowMs, validSinceSec }: { readonly nowMs: number; readonly validSinceSec: number },
): Account {
  const { email, displayName, photoUrl } = change;
  const isEmailNew = email !== undefined && email !== before.email;
  const addressed = isEmailNew ? withEmail(before, email, false) : before;
  const after: Account = {
    ...(passwordHash === undefined ? addressed : withPassword(addressed, passwordHash, nowMs)),
    ...(displayName === undefined ? {} : { displayName }),
    ...(photoUrl === undefined ? {} : { photoUrl }),
    validSinceSec,
  };
  return change.removals.reduce(applyRemoval, after);
}
