import type { BookTurn } from '../../books/books.ts';
import type { Account } from '../account.ts';
import { accountsBook, saveAccount } from '../account-book.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import type { Session, SignInFacts } from '../session.ts';
import { startSession } from '../start-session.ts';
import { tokensOfSession } from '../tokens-of-session.ts';
import { findChallenge } from './second-factor-challenge.ts';

/** What the first proof came to. */
export interface FirstProof {
  /** The account as the turn found it; `undefined` when it is new. */
  readonly before: Account | undefined;
  /** The account as it is to be kept. */
  readonly account: Account;
  readonly facts: SignInFacts;
  /** Does this way of signing in ask for the second factor, if the account has one? */
  readonly asksSecondFactor: boolean;
}

type SignInOutcome =
  | {
      readonly kind: 'signed-in';
      readonly account: Account;
      readonly isNew: boolean;
      readonly session: Session;
    }
  | { readonly kind: 'challenged'; readonly account: Account; readonly challenge: JsonObject };

/** What of a sign-in is told beside the tokens. */
type Profile = (account: Account, isNew: boolean) => JsonObject;

/**
 * What all ways to sign in end with, in one turn: the first proof is decided on, then whether the account may be used,
 * whether a second factor is asked for, and last the session begins. Answers with tokens, or with the challenge.
 */
export async function signIn(
  call: IdentityCall,
  services: IdentityServices,
  prove: (book: BookTurn, nowMs: number) => FirstProof,
  profile: Profile,
): Promise<JsonObject> {
  const outcome = await services.books.change((turn): SignInOutcome => {
    const book = turn.book(accountsBook(call.project.id));
    const { before, account, facts, asksSecondFactor } = prove(book, turn.nowMs);
    if (account.isDisabled) throw new IdentityError('USER_DISABLED');
    const challenge = asksSecondFactor
      ? findChallenge(book, call, services, account, facts, turn.nowMs)
      : undefined;
    if (challenge !== undefined) {
      saveAccount(book, before, account);
      return { kind: 'challenged', account, challenge };
    }
    const signedIn = { ...account, lastLoginAtMs: turn.nowMs, lastRefreshAtMs: turn.nowMs };
    saveAccount(book, before, signedIn);
    const session = startSession(book, call, services, account.uid, facts, turn.nowMs);
    return { kind: 'signed-in', account: signedIn, isNew: before === undefined, session };
  });
  const { account } = outcome;
  if (outcome.kind === 'challenged') return { ...profile(account, false), ...outcome.challenge };
  const tokens = await tokensOfSession(services, call.project, account, outcome.session);
  return { ...profile(account, outcome.isNew), ...tokens };
}

/** What an ordinary first proof brings along. */
export function factsOf(provider: string): SignInFacts {
  return { provider, secondFactor: null, sessionClaims: null, signInAttributes: null };
}
