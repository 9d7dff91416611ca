import type { BooksTurn, BookTurn } from '../../books/books.ts';
import type { Account } from '../account.ts';
import { accountsBook, saveAccount } from '../account-book.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import type { SignInFacts } from '../session.ts';
import { tellAudit } from '../tell-audit.ts';
import { tokensOfSession } from '../tokens-of-session.ts';
import { type Admission, admit } from './admit.ts';
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
  | ({ readonly kind: 'signed-in'; readonly isNew: boolean } & Admission)
  | { readonly kind: 'challenged'; readonly account: Account; readonly challenge: JsonObject };

/** What of a sign-in is told beside the tokens. */
type Profile = (account: Account, isNew: boolean) => JsonObject;

/**
 * What all ways to sign in do with the first proof, in one turn: the first proof is decided on, then whether the account may be used,
 * whether a second factor is asked for, and last the session begins. Answers with tokens, or with the challenge.
 */
export async function signIn(
  call: IdentityCall,
  services: IdentityServices,
  prove: (book: BookTurn, nowMs: number, turn: BooksTurn) => FirstProof,
  profile: Profile,
): Promise<JsonObject> {
  // Of the sign-ins just before.
  services.audit.join();
  const outcome = await services.books.change((turn): SignInOutcome => {
    const book = turn.book(accountsBook(call.project.id));
    const { before, account, facts, asksSecondFactor } = prove(book, turn.nowMs, turn);
    if (account.isDisabled) throw new IdentityError('USER_DISABLED', undefined, { uid: account.uid });
    const challenge = asksSecondFactor ? findChallenge(turn, call, services, account, facts) : undefined;
    if (challenge !== undefined) {
      saveAccount(book, before, account);
      return { kind: 'challenged', account, challenge };
    }
    const admission = admit(book, call, services, { before, account, facts, nowMs: turn.nowMs });
    return { kind: 'signed-in', isNew: before === undefined, ...admission };
  });
  const { account } = outcome;
  if (outcome.kind === 'challenged') {
    tellAudit(services, call, 'second_factor_asked', account.uid);
    return { ...profile(account, false), ...outcome.challenge };
  }
  tellAudit(services, call, outcome.isNew ? 'sign_up' : 'sign_in', account.uid, {
    detail: outcome.session.provider,
  });
  const tokens = await tokensOfSession(services, call.project, account, outcome.session);
  return { ...profile(account, outcome.isNew), ...tokens };
}
