import type { BookTurn } from '../../books/books.ts';
import type { Account } from '../account.ts';
import { saveAccount } from '../account-book.ts';
import type { IdentityCall } from '../identity-call.ts';
import type { IdentityServices } from '../identity-services.ts';
import type { Session, SignInFacts } from '../session.ts';
import { startSession } from '../start-session.ts';

/** Somebody who has given every proof that was asked for. */
export interface ProvenAccount {
  /** The account as the turn found it; `undefined` when it is new. */
  readonly before: Account | undefined;
  /** The account as it is to be kept. */
  readonly account: Account;
  readonly facts: SignInFacts;
  readonly nowMs: number;
}

/** An account that is signed in now. */
export interface Admission {
  readonly account: Account;
  readonly session: Session;
}

/** The end of every sign-in: the account remembers when it was, and its session begins. */
export function admit(
  book: BookTurn,
  call: IdentityCall,
  services: IdentityServices,
  { before, account, facts, nowMs }: ProvenAccount,
): Admission {
  const admitted = { ...account, lastLoginAtMs: nowMs, lastRefreshAtMs: nowMs };
  saveAccount(book, before, admitted);
  return { account: admitted, session: startSession(book, call, services, account.uid, facts, nowMs) };
}
