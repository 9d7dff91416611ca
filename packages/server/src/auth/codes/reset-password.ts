import type { RecordView } from '../../records/store.ts';
import { type Account, nextValidSince, withPassword } from '../accounts/account.ts';
import { accountRecords, saveAccount } from '../accounts/account-store.ts';
import { factorJson } from '../accounts/user-json.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { requireAcceptable } from '../passwords/check-password.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { endSessions } from '../sign-in/session-store.ts';
import { requireCodeAccount, voidUnprovenRecoveries, withoutUnproven } from './apply.ts';
import { type FoundCode, readCode, removeCode, removeCodesOf, requireCode } from './code-store.ts';
import { mailPasswordChanged } from './mails.ts';

const KIND = 'identitytoolkit#ResetPasswordResponse';

/**
 * `accounts:resetPassword`: returns the purpose of a code, or sets a password with it. Works even while the
 * project does not offer sign-in by password, as in the official service.
 */
export async function resetPassword(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { fields, project } = call;
  // A request to change the password with the old password. No current client sends one.
  if (fields.has('oldPassword')) throw new AuthApiError('OPERATION_NOT_ALLOWED');
  const text = readCode(fields);
  const password = fields.filled('newPassword');
  if (password !== undefined) return setPassword(call, services, text, password);
  return services.recordStore.read((view) =>
    purposeJson(view.records(accountRecords(project.scope)), text, services.clock.nowMs()),
  );
}

/** Returns the purpose of a code. Omits the address for a sign-in code: the client has to know it. */
function purposeJson(records: RecordView, text: string, nowMs: number): JsonObject {
  const { purpose } = requireCode(records, text, nowMs);
  const { kind } = purpose;
  if (kind === 'EMAIL_SIGNIN') return { kind: KIND, requestType: kind };
  const { factors } = requireCodeAccount(records, purpose);
  const factor =
    kind === 'REVERT_SECOND_FACTOR_ADDITION'
      ? factors.find(({ enrollmentId }) => enrollmentId === purpose.enrollmentId)
      : undefined;
  return {
    kind: KIND,
    requestType: kind,
    email: purpose.email,
    newEmail: 'newEmail' in purpose ? (purpose.newEmail ?? undefined) : undefined,
    mfaInfo: factor === undefined ? undefined : factorJson(factor),
  };
}

async function setPassword(
  call: AuthRequest,
  services: AuthServices,
  text: string,
  password: string,
): Promise<JsonObject> {
  const { recordStore, clock, passwords } = services;
  const recordsName = accountRecords(call.project.scope);
  // Hash only after the code is checked, because hashing is expensive.
  const { account: intended } = recordStore.read((view) =>
    requireReset(view.records(recordsName), text, clock.nowMs()),
  );
  requireAcceptable(password, call.project);
  services.throttle.requireNewPasswordAllowed(call, intended.uid);
  const hash = await passwords.hashEncoded(password, call.client.network);
  const { uid, email } = await recordStore.change((transaction) => {
    const records = transaction.records(recordsName);
    const { code, email, account } = requireReset(records, text, transaction.nowMs);
    removeCode(records, code);
    // A pending change of the address may have been requested by the attacker whom the reset locks out.
    removeCodesOf(records, account.uid, ({ purpose }) => purpose.kind === 'VERIFY_AND_CHANGE_EMAIL');
    voidUnprovenRecoveries(records, account.uid);
    saveAccount(records, account, afterReset(account, hash, code, transaction.nowMs));
    endSessions(records, account.uid);
    mailPasswordChanged(transaction, call, services, account);
    return { uid: account.uid, email };
  });
  services.throttle.lift(call, email);
  recordAudit(services, call, 'password_reset', uid);
  return { kind: KIND, email, requestType: 'PASSWORD_RESET' };
}

interface Reset {
  readonly code: FoundCode;
  readonly email: string;
  readonly account: Account;
}

function requireReset(records: RecordView, text: string, nowMs: number): Reset {
  const code = requireCode(records, text, nowMs);
  const { purpose } = code;
  if (purpose.kind !== 'PASSWORD_RESET') throw new AuthApiError('INVALID_OOB_CODE');
  return { code, email: purpose.email, account: requireCodeAccount(records, purpose) };
}

/**
 * Returns the account with a new password and a verified address. Keeps the second factors if the address was
 * already verified: access to the mailbox does not replace a second factor.
 */
function afterReset(
  account: Account,
  password: JsonObject,
  { wasMailed }: FoundCode,
  nowMs: number,
): Account {
  return {
    ...withPassword(withoutUnproven(account), password, nowMs),
    isPasswordProven: wasMailed,
    isEmailVerified: true,
    validSinceSec: nextValidSince(account, nowMs),
  };
}
