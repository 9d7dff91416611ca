import type { RecordStoreTransaction, RecordView } from '../../records/store.ts';
import type { Account } from '../accounts/account.ts';
import { accountRecords, findAccount } from '../accounts/account-store.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { Project } from '../projects/project.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { completeSignIn, type SignInResult } from '../sign-in/complete-sign-in.ts';
import { tokensOfSession } from '../sign-in/session-tokens.ts';
import {
  findAttempts,
  requireAttemptAllowed,
  saveAttempts,
  withFinished,
  withWrongCode,
} from './attempts.ts';
import { type FactorProof, requireFactor, requireFactorId } from './factor.ts';
import { type RequestedKind, requireKind, SECOND_FACTORS } from './kinds.ts';
import {
  type FoundPending,
  findPending,
  parsePendingCredential,
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
  const nowMs = services.clock.nowMs();
  const { account } = services.recordStore.read((view) =>
    requirePending(view.records(accountRecords(project.id)), key, nowMs),
  );
  const factor = requireFactor(account, enrollmentId);
  const kind = SECOND_FACTORS[factor.kind];
  services.recordStore.read((view) => requireOffered(view, kind, project, account.uid));
  if (kind.startSignIn === null)
    throw new AuthApiError(
      'INVALID_ARGUMENT',
      'This kind of second factor needs no start: send its code to mfaSignIn:finalize.',
    );
  return kind.startSignIn({ project, services, account, nowMs }, factor);
}

/** The second step of a sign-in, as the client sends it. */
interface GivenProof extends RequestedKind {
  readonly enrollmentId: string;
  /** The key under which the pending sign-in is stored. */
  readonly key: string;
}

type Outcome =
  | ({ readonly kind: 'signed-in'; readonly by: FactorProof['by'] } & SignInResult)
  /** A returned outcome and not a thrown error, so that the transaction commits the failed attempt. */
  | { readonly kind: 'wrong'; readonly uid: string };

/** `mfaSignIn:finalize`: verifies the second factor and completes a pending sign-in. */
export async function finishMfaChallenge(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { project, fields } = call;
  const credential = fields.require(
    'mfaPendingCredential',
    'MISSING_CREDENTIAL',
    'Please set MFA Pending Credential.',
  );
  const requested = requireKind(fields, 'finish', project.settings);
  const enrollmentId = requireFactorId(fields);
  const key = parsePendingOrThrow(credential, project);
  const outcome = await services.recordStore.change((transaction) =>
    decide(transaction, call, services, { ...requested, enrollmentId, key }),
  );
  if (outcome.kind === 'wrong') {
    recordAudit(services, call, 'second_factor_failed', outcome.uid, { result: 'INVALID_CODE' });
    throw new AuthApiError('INVALID_CODE');
  }
  const { account, session, by } = outcome;
  if (by === 'recovery-code')
    recordAudit(services, call, 'recovery_code_used', account.uid, {
      detail: `${account.recoveryCodes.length} left`,
    });
  recordAudit(services, call, 'sign_in', account.uid, {
    detail: `${session.provider}+${requested.kind.name}`,
  });
  const { idToken, refreshToken } = await tokensOfSession(services, project, account, session);
  return { idToken, refreshToken };
}

function decide(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  services: AuthServices,
  { kind, block, enrollmentId, key }: GivenProof,
): Outcome {
  const { nowMs } = transaction;
  const records = transaction.records(accountRecords(call.project.id));
  const { found, account: before } = requirePending(records, key, nowMs);
  const { uid, pending } = found;
  requireOffered(transaction, kind, call.project, uid);
  const attempts = findAttempts(records, uid, nowMs);
  requireAttemptAllowed(attempts);
  const factor = requireFactor(before, enrollmentId);
  if (factor.kind !== kind.name) throw new AuthApiError('MFA_ENROLLMENT_NOT_FOUND');
  const step = { project: call.project, services, account: before, nowMs };
  const proof = kind.finishSignIn(step, factor, block);
  if (proof === undefined) {
    saveAttempts(records, uid, withWrongCode(attempts));
    recordWrongCode(records, key, found);
    return { kind: 'wrong', uid };
  }
  saveAttempts(records, uid, withFinished(attempts));
  removePending(records, key, uid);
  const signInClaims = { ...pending.signInClaims, secondFactor: { kind: kind.name, enrollmentId } };
  const signInResult = completeSignIn(records, call, services, {
    before,
    account: proof.account,
    signInClaims,
    nowMs,
  });
  return { kind: 'signed-in', by: proof.by, ...signInResult };
}
