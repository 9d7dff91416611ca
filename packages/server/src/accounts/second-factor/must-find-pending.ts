import type { BookView } from '../../books/books.ts';
import type { Account } from '../account.ts';
import { findAccount } from '../account-book.ts';
import { IdentityError } from '../identity-error.ts';
import type { Project } from '../project.ts';
import { type FoundPending, findPending } from './pending-book.ts';
import { parsePendingCredential } from './pending-handle.ts';

/** A sign-in that lacks its second proof, and the account that it is to. */
export interface PendingAccount {
  readonly found: FoundPending;
  readonly account: Account;
}

/** Refuses a pending credential of another project with `INVALID_PROJECT_ID`, before anything is looked up. */
export function mustParsePending(credential: string, project: Project): string {
  const handle = parsePendingCredential(credential);
  if (handle === undefined) throw new IdentityError('INVALID_MFA_PENDING_CREDENTIAL');
  if (handle.projectNumber !== project.number)
    throw new IdentityError('INVALID_PROJECT_ID', 'Project ID does not match MFA pending credential.');
  return handle.key;
}

/** Refuses what is over, used or never was with `INVALID_MFA_PENDING_CREDENTIAL`. */
export function mustFindPending(book: BookView, key: string, nowMs: number): PendingAccount {
  const found = findPending(book, key, nowMs);
  const account = found === undefined ? undefined : findAccount(book, found.uid);
  if (found === undefined || account === undefined) throw new IdentityError('INVALID_MFA_PENDING_CREDENTIAL');
  if (account.isDisabled) throw new IdentityError('USER_DISABLED');
  return { found, account };
}
