import type { RecordStoreTransaction, RecordStoreView, RecordView } from '../../records/store.ts';
import type { Account, SecondFactor } from '../accounts/account.ts';
import { accountRecords, findAccount } from '../accounts/account-store.ts';
import { mailNotice } from '../codes/mails.ts';
import { AuthApiError } from '../errors.ts';
import { Fields, type JsonObject } from '../fields.ts';
import { type AskHook, withHooks } from '../hooks/ask-hooks.ts';
import { PASSKEY } from '../passkeys/passkey.ts';
import { requireSmsAccepted } from '../phone/queue-sms.ts';
import type { Project } from '../projects/project.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { applyHook, completeSignIn, disable, type SignInResult } from '../sign-in/complete-sign-in.ts';
import { createHandover } from '../sign-in/handover.ts';
import { tokensOfSession } from '../sign-in/session-tokens.ts';
import {
  findAttempts,
  requireAttemptAllowed,
  saveAttempts,
  withFinished,
  withWrongCode,
} from './attempts.ts';
import {
  type FactorKind,
  type FactorProof,
  requireFactor,
  requireFactorId,
  type WrongProof,
} from './factor.ts';
import { type RequestedKind, requireKind, SECOND_FACTORS } from './kinds.ts';
import {
  type FoundPending,
  findPending,
  parsePendingCredential,
  recordChallenge,
  recordWrongCode,
  removePending,
} from './pending-sign-in.ts';
import { requireOffered } from './policy.ts';

/** A sign-in that waits for its second factor, and its account. */
export interface PendingAccount {
  readonly found: FoundPending;
  readonly account: Account;
}

/**
 * Returns the key of the sign-in to which a pending credential belongs, without reading records. Throws
 * `INVALID_MFA_PENDING_CREDENTIAL` for any other text, and `INVALID_PROJECT_ID` for a credential of another project.
 */
function parsePendingOrThrow(credential: string, project: Project): string {
  const handle = parsePendingCredential(credential);
  if (handle === undefined) throw new AuthApiError('INVALID_MFA_PENDING_CREDENTIAL');
  if (handle.projectNumber !== project.number)
    throw new AuthApiError('INVALID_PROJECT_ID', 'Project ID does not match MFA pending credential.');
  return handle.key;
}

/**
 * Returns a pending sign-in and its account. Throws `INVALID_MFA_PENDING_CREDENTIAL` if it has expired, was
 * completed or does not exist, and `USER_DISABLED` if the account is disabled.
 */
function requirePending(records: RecordView, key: string, nowMs: number): PendingAccount {
  const found = findPending(records, key, nowMs);
  const account = found === undefined ? undefined : findAccount(records, found.uid);
  if (found === undefined || account === undefined) throw new AuthApiError('INVALID_MFA_PENDING_CREDENTIAL');
  if (account.isDisabled) throw new AuthApiError('USER_DISABLED');
  return { found, account };
}

/** `mfaSignIn:start`: returns the data that the client needs to prove a second factor. */
export async function startMfaChallenge(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { project, fields } = call;
  const credential = fields.require(
    'mfaPendingCredential',
    'MISSING_MFA_PENDING_CREDENTIAL',
    'Request does not have MFA pending credential.',
  );
  const enrollmentId = requireFactorId(fields);
  const key = parsePendingOrThrow(credential, project);
  const { factor, isFirst } = services.recordStore.read((view) =>
    requireChallenged(view, call, services.clock.nowMs(), { key, enrollmentId }),
  );
  const { challenge } = SECOND_FACTORS[factor.kind];
  if (challenge === null)
    throw new AuthApiError(
      'INVALID_ARGUMENT',
      'This kind of second factor needs no start: send its code to mfaSignIn:finalize.',
    );
  const given = { block: fields.object(challenge.block) ?? new Fields({}), pendingKey: key };
  const isAppProven = await challenge.admit(call, services, factor, { ...given, isFirst });
  const answer = await services.recordStore.change((transaction) => {
    const { nowMs } = transaction;
    const records = transaction.records(accountRecords(project.scope));
    const now = requireChallenged(transaction, call, nowMs, { key, enrollmentId });
    recordChallenge(records, key, now.found);
    const step = { call, transaction, project, services, account: now.account, nowMs };
    return challenge.start(step, now.factor, { ...given, isFirst: now.isFirst, isAppProven });
  });
  await requireSmsAccepted(call, services);
  return answer;
}

/** Returns the pending sign-in, its account and the factor to ask for. Throws if the server may not ask for it. */
function requireChallenged(
  view: RecordStoreView,
  { project }: AuthRequest,
  nowMs: number,
  { key, enrollmentId }: { readonly key: string; readonly enrollmentId: string },
): PendingAccount & { readonly factor: SecondFactor; readonly isFirst: boolean } {
  const records = view.records(accountRecords(project.scope));
  const pending = requirePending(records, key, nowMs);
  const factor = requireFactor(pending.account, enrollmentId);
  requireOffered(view, SECOND_FACTORS[factor.kind], project, pending.account.uid);
  requireAttemptAllowed(findAttempts(records, pending.account.uid, nowMs));
  return { ...pending, factor, isFirst: pending.found.pending.challenges === 0 };
}

/** The second step of a sign-in, as the client sends it. */
interface GivenProof extends RequestedKind {
  readonly fields: Fields;
  /** The key under which the pending sign-in is stored. */
  readonly key: string;
}

type Outcome =
  /** A function of the project has disabled the account. */
  | { readonly kind: 'disabled'; readonly account: Account }
  | ({ readonly kind: 'signed-in' } & Pick<FactorProof, 'by' | 'answer'> & SignInResult)
  /** A returned outcome and not a thrown error, so that the transaction commits the failed attempt. */
  | { readonly kind: 'wrong'; readonly uid: string; readonly error: WrongProof['error'] };

/** `mfaSignIn:finalize`: verifies the second factor and completes a pending sign-in. */
export async function finishMfaChallenge(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { project, fields } = call;
  const credential = fields.require(
    'mfaPendingCredential',
    'MISSING_CREDENTIAL',
    'Please set MFA Pending Credential.',
  );
  const requested = requireKind(fields, 'finish', project.settings);
  const key = parsePendingOrThrow(credential, project);
  // Waiting audit records of earlier sign-ins can be written together with this transaction.
  services.audit.join();
  services.recordStore.read((view) =>
    requested.kind.factorIdOf(fields, requested.block, view.records(accountRecords(project.scope))),
  );
  const outcome = await withHooks(call, services, (ask) =>
    services.recordStore.change((transaction) =>
      decide(transaction, call, services, { ...requested, fields, key }, ask),
    ),
  );
  if (outcome.kind === 'disabled')
    throw new AuthApiError('USER_DISABLED', undefined, { uid: outcome.account.uid });
  if (outcome.kind === 'wrong') {
    recordAudit(services, call, 'second_factor_failed', outcome.uid, { result: outcome.error });
    throw new AuthApiError(outcome.error);
  }
  const { account, session, by, answer } = outcome;
  if (by === 'recovery-code')
    recordAudit(services, call, 'recovery_code_used', account.uid, {
      detail: `${account.recoveryCodes.length} left`,
    });
  recordAudit(services, call, 'sign_in', account.uid, {
    detail: `${session.provider}+${requested.kind.name}`,
  });
  const { idToken, refreshToken } = await tokensOfSession(services, project, account, session);
  return { idToken, refreshToken, ...answer };
}

/** Returns the factor that a proof is for; any of its kind for a proof that is not for a sign-in. */
function findFactor(account: Account, { name }: FactorKind, enrollmentId: string | null): SecondFactor {
  const id = enrollmentId ?? account.factors.find(({ kind }) => kind === name)?.enrollmentId;
  return requireFactor(account, id ?? '');
}

function decide(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  services: AuthServices,
  { kind, block, fields, key }: GivenProof,
  ask: AskHook,
): Outcome {
  const { nowMs } = transaction;
  const records = transaction.records(accountRecords(call.project.scope));
  const { found, account: before } = requirePending(records, key, nowMs);
  const { uid, pending } = found;
  requireOffered(transaction, kind, call.project, uid);
  const attempts = findAttempts(records, uid, nowMs);
  requireAttemptAllowed(attempts);
  const factor = findFactor(before, kind, kind.factorIdOf(fields, block, records));
  const { enrollmentId } = factor;
  if (factor.kind !== kind.name) throw new AuthApiError('MFA_ENROLLMENT_NOT_FOUND');
  const step = { call, transaction, project: call.project, services, account: before, nowMs };
  const proof = kind.finishSignIn(step, factor, { block, pendingKey: key });
  if (proof.by === 'nothing') {
    saveAttempts(records, uid, withWrongCode(attempts));
    recordWrongCode(records, key, found);
    return { kind: 'wrong', uid, error: proof.error };
  }
  saveAttempts(records, uid, withFinished(attempts));
  removePending(records, key, uid);
  const signInClaims = { ...pending.signInClaims, secondFactor: { kind: kind.name, enrollmentId } };
  const decided = applyHook(ask, transaction, 'beforeSignIn', { account: proof.account, signInClaims });
  if (decided.account.isDisabled) return disable(records, before, decided.account);
  const signInResult = completeSignIn(records, call, services, { before, ...decided, nowMs });
  if (proof.by === 'recovery-code') mailNotice(transaction, call, services, before, 'recoveryCodeUsed');
  // Unmodified SDKs have no methods for passkeys.
  const customToken =
    signInClaims.provider === PASSKEY
      ? { customToken: createHandover(records, call, services, signInResult.session, nowMs) }
      : {};
  return { kind: 'signed-in', by: proof.by, answer: { ...proof.answer, ...customToken }, ...signInResult };
}
