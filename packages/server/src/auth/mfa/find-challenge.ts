import type { RecordStoreTransaction } from '../../records/store.ts';
import type { Account } from '../accounts/account.ts';
import { accountRecords } from '../accounts/account-store.ts';
import { hintJson } from '../accounts/user-json.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { ProjectSettings } from '../projects/project.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import type { SignInClaims } from '../sign-in/session.ts';
import { findAttempts, saveAttempts, withSignInStarted } from './attempts.ts';
import { SECOND_FACTORS } from './kinds.ts';
import { addPending, newPendingCredential } from './pending-sign-in.ts';
import { isOffered } from './policy.ts';

/**
 * Returns the response that requests a second factor, or `undefined` if the sign-in needs none. Stores the
 * pending sign-in until the second factor is verified.
 */
export function findChallenge(
  transaction: RecordStoreTransaction,
  { project }: AuthRequest,
  { randomBytes }: AuthServices,
  account: Account,
  signInClaims: SignInClaims,
): JsonObject | undefined {
  const usable = account.factors.filter(({ kind }) =>
    isOffered(transaction, SECOND_FACTORS[kind], project, account.uid),
  );
  if (usable.length === 0) {
    requireNoUnusablePhone(account, project.settings);
    return undefined;
  }
  const { nowMs } = transaction;
  const records = transaction.records(accountRecords(project.scope));
  saveAttempts(records, account.uid, withSignInStarted(findAttempts(records, account.uid, nowMs)));
  const { credential, key } = newPendingCredential(project.number, nowMs, randomBytes);
  addPending(records, key, account.uid, { signInClaims, createdAtMs: nowMs, wrongCodes: 0, challenges: 0 });
  return { mfaPendingCredential: credential, mfaInfo: usable.map(hintJson) };
}

/**
 * Throws if the only factors of an account are phones to which the project cannot send messages: without this check, the
 * first factor alone would be enough. A project that uses no second factors at all has decided that it is.
 */
function requireNoUnusablePhone({ factors, uid }: Account, { secondFactor }: ProjectSettings): void {
  if (secondFactor.state !== 'DISABLED' && factors.some(({ kind }) => kind === 'phone'))
    throw new AuthApiError('OPERATION_NOT_ALLOWED', SECOND_FACTORS.phone.notOffered, { uid });
}
