import type { RecordStoreTransaction, RecordTransaction } from '../../records/store.ts';
import type { Account } from '../accounts/account.ts';
import { accountRecords, saveAccount } from '../accounts/account-store.ts';
import { requireMemberWithoutAppCheck } from '../app-check/require-app-check.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { type AskHook, withHooks } from '../hooks/ask-hooks.ts';
import { findChallenge } from '../mfa/find-challenge.ts';
import type { ProviderAssertion } from '../providers/assertion.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { requireSignUpPermitted } from '../sign-up-rules/apply-sign-up-rules.ts';
import { requireNotDeleted } from '../tenants/deleted-tenants.ts';
import type { Session, SignInClaims } from './session.ts';
import { endSessions, startSession } from './session-store.ts';
import { tokensOfSession } from './session-tokens.ts';

/** An account for which every required factor has been verified. */
export interface VerifiedAccount {
  /** The account as it is at the start of the transaction; `undefined` if it is new. */
  readonly before: Account | undefined;
  /** The account to save. */
  readonly account: Account;
  readonly signInClaims: SignInClaims;
  readonly nowMs: number;
}

/** A signed-in account with its new session. */
export interface SignInResult {
  readonly account: Account;
  readonly session: Session;
}

/** Completes a sign-in by any method: records the time in the account, and starts a session. */
export function completeSignIn(
  records: RecordTransaction,
  call: AuthRequest,
  services: AuthServices,
  { before, account, signInClaims, nowMs }: VerifiedAccount,
): SignInResult {
  const signedIn = { ...account, lastLoginAtMs: nowMs, lastRefreshAtMs: nowMs };
  saveAccount(records, before, signedIn);
  return {
    account: signedIn,
    session: startSession(records, call, services, account.uid, signInClaims, nowMs),
  };
}

/** The result of verifying the primary credential. */
export interface PrimaryCredential {
  /** The account as it is at the start of the transaction; `undefined` if it is new. */
  readonly before: Account | undefined;
  /** The account to save. */
  readonly account: Account;
  readonly signInClaims: SignInClaims;
  /** Whether this sign-in method requires the second factor, if the account has one. */
  readonly needsSecondFactor: boolean;
  /** The statement of another provider about the user, for the functions of the project. */
  readonly assertion?: ProviderAssertion;
}

/** A response to a sign-in that selects no account. */
export interface Unidentified {
  readonly answer: JsonObject;
}

type SignInOutcome =
  | ({ readonly kind: 'unidentified' } & Unidentified)
  /** A function of the project has disabled the account. */
  | { readonly kind: 'disabled'; readonly account: Account }
  | ({ readonly kind: 'signed-in'; readonly isNew: boolean; readonly more: JsonObject } & SignInResult)
  | { readonly kind: 'challenged'; readonly account: Account; readonly challenge: JsonObject };

/** Returns the fields of a sign-in response other than the tokens. */
type Profile = (account: Account, isNew: boolean) => JsonObject;

/** Returns more fields of the response, in the transaction that starts the session. */
type SessionFields = (records: RecordTransaction, session: Session, nowMs: number) => JsonObject;

/**
 * Runs the steps that all sign-in methods share, in one transaction: verifies the primary credential, checks that
 * the account is not disabled, checks whether a second factor is needed, and starts the session. Returns tokens or a
 * challenge; or the answer of `verify`, if the credential selects no account.
 */
export async function signIn(
  call: AuthRequest,
  services: AuthServices,
  verify: (
    records: RecordTransaction,
    nowMs: number,
    transaction: RecordStoreTransaction,
  ) => PrimaryCredential | Unidentified,
  profile: Profile,
  sessionFields: SessionFields = () => ({}),
): Promise<JsonObject> {
  // Waiting audit records of earlier sign-ins can be written together with this transaction.
  services.audit.join();
  const outcome = await withHooks(call, services, (ask) =>
    services.recordStore.change((transaction): SignInOutcome => {
      requireNotDeleted(transaction, call.project.scope);
      const records = transaction.records(accountRecords(call.project.scope));
      const verified = verify(records, transaction.nowMs, transaction);
      if ('answer' in verified) return { kind: 'unidentified', ...verified };
      const { before, needsSecondFactor } = verified;
      const { email } = verified.account;
      requireSignUpPermitted(call, before, { email, provider: verified.signInClaims.provider });
      const account =
        before === undefined
          ? applyHook(ask, transaction, 'beforeCreate', verified).account
          : verified.account;
      if (account.isDisabled && before === undefined) return disable(records, before, account);
      requireMemberWithoutAppCheck(transaction, call, account.uid);
      if (account.isDisabled) throw new AuthApiError('USER_DISABLED', undefined, { uid: account.uid });
      const challenge = needsSecondFactor
        ? findChallenge(transaction, call, services, account, verified.signInClaims)
        : undefined;
      if (challenge !== undefined) {
        saveAccount(records, before, account);
        return { kind: 'challenged', account, challenge };
      }
      const decided = applyHook(ask, transaction, 'beforeSignIn', { ...verified, account });
      if (decided.account.isDisabled) return disable(records, before, decided.account);
      const signInResult = completeSignIn(records, call, services, {
        before,
        ...decided,
        nowMs: transaction.nowMs,
      });
      const more = sessionFields(records, signInResult.session, transaction.nowMs);
      return { kind: 'signed-in', isNew: before === undefined, more, ...signInResult };
    }),
  );
  if (outcome.kind === 'unidentified') return outcome.answer;
  if (outcome.kind === 'disabled')
    throw new AuthApiError('USER_DISABLED', undefined, { uid: outcome.account.uid });
  const { account } = outcome;
  if (outcome.kind === 'challenged') {
    recordAudit(services, call, 'second_factor_asked', account.uid);
    return { ...profile(account, false), ...outcome.challenge };
  }
  recordAudit(services, call, outcome.isNew ? 'sign_up' : 'sign_in', account.uid, {
    detail: outcome.session.provider,
  });
  const tokens = await tokensOfSession(services, call.project, account, outcome.session);
  return { ...profile(account, outcome.isNew), ...tokens, ...outcome.more };
}

/** Returns the account and the claims of a sign-in after the changes of the project's function for an event. */
export function applyHook(
  ask: AskHook,
  transaction: RecordStoreTransaction,
  event: Parameters<AskHook>[1]['event'],
  { account, signInClaims, assertion }: Pick<PrimaryCredential, 'account' | 'signInClaims' | 'assertion'>,
): Pick<PrimaryCredential, 'account' | 'signInClaims'> {
  const changes = ask(transaction, {
    event,
    account,
    signInClaims,
    ...(assertion === undefined ? {} : { assertion }),
  });
  const { sessionClaims } = changes;
  return {
    account: { ...account, ...changes.account },
    signInClaims:
      sessionClaims === null
        ? signInClaims
        : { ...signInClaims, sessionClaims: { ...signInClaims.sessionClaims, ...sessionClaims } },
  };
}

/** Saves an account that a function has disabled, without a session. */
export function disable(
  records: RecordTransaction,
  before: Account | undefined,
  account: Account,
): { readonly kind: 'disabled'; readonly account: Account } {
  saveAccount(records, before, account);
  endSessions(records, account.uid);
  return { kind: 'disabled', account };
}
