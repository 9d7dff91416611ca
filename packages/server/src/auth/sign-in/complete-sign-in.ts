import type { BooksTurn, BookTurn } from '../../records/store.ts';
import type { Account } from '../accounts/account.ts';
import { accountsBook, saveAccount } from '../accounts/account-store.ts';
import { factorJson } from '../accounts/user-json.ts';
import { IdentityError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { findTries, saveTries, withBegun } from '../mfa/attempts.ts';
import { SECOND_FACTORS } from '../mfa/kinds.ts';
import { addPending, newPendingCredential } from '../mfa/pending-sign-in.ts';
import { isOffered } from '../mfa/policy.ts';
import type { IdentityCall } from '../request.ts';
import { type IdentityServices, tellAudit } from '../services.ts';
import type { Session, SignInFacts } from './session.ts';
import { startSession } from './session-store.ts';
import { tokensOfSession } from './session-tokens.ts';

/** An account for which every required factor has been verified. */
export interface ProvenAccount {
  /** The account as it is at the start of the transaction; `undefined` if it is new. */
  readonly before: Account | undefined;
  /** The account to save. */
  readonly account: Account;
  readonly facts: SignInFacts;
  readonly nowMs: number;
}

/** A signed-in account with its new session. */
export interface Admission {
  readonly account: Account;
  readonly session: Session;
}

/** Completes every sign-in: records its time in the account, and starts a session. */
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

/**
 * Returns the response that requests a second factor, or `undefined` if the sign-in needs none. Stores the
 * pending sign-in until the second factor is verified.
 */
function findChallenge(
  turn: BooksTurn,
  { project }: IdentityCall,
  { randomBytes }: IdentityServices,
  account: Account,
  facts: SignInFacts,
): JsonObject | undefined {
  const usable = account.factors.filter(({ kind }) =>
    isOffered(turn, SECOND_FACTORS[kind], project, account.uid),
  );
  if (usable.length === 0) return undefined;
  const { nowMs } = turn;
  const book = turn.book(accountsBook(project.id));
  saveTries(book, account.uid, withBegun(findTries(book, account.uid, nowMs)));
  const { credential, key } = newPendingCredential(project.number, nowMs, randomBytes);
  addPending(book, key, account.uid, { facts, createdAtMs: nowMs, wrongCodes: 0 });
  return { mfaPendingCredential: credential, mfaInfo: usable.map(factorJson) };
}

/** The result of verifying the first factor. */
export interface FirstProof {
  /** The account as it is at the start of the transaction; `undefined` if it is new. */
  readonly before: Account | undefined;
  /** The account to save. */
  readonly account: Account;
  readonly facts: SignInFacts;
  /** Whether this sign-in method requires the second factor, if the account has one. */
  readonly asksSecondFactor: boolean;
}

type SignInOutcome =
  | ({ readonly kind: 'signed-in'; readonly isNew: boolean } & Admission)
  | { readonly kind: 'challenged'; readonly account: Account; readonly challenge: JsonObject };

/** Returns the fields of a sign-in response other than the tokens. */
type Profile = (account: Account, isNew: boolean) => JsonObject;

/**
 * Runs the steps that all sign-in methods share, in one transaction: verifies the first factor, checks that the
 * account is not disabled, checks whether a second factor is needed, and starts the session. Returns tokens or
 * a challenge.
 */
export async function signIn(
  call: IdentityCall,
  services: IdentityServices,
  prove: (book: BookTurn, nowMs: number, turn: BooksTurn) => FirstProof,
  profile: Profile,
): Promise<JsonObject> {
  // Waiting audit records of earlier sign-ins can be written together with this transaction.
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
