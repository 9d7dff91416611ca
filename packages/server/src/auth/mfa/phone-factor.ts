import type { RecordView } from '../../records/store.ts';
import type { Account, SecondFactor } from '../accounts/account.ts';
import { accountRecords } from '../accounts/account-store.ts';
import { AuthApiError } from '../errors.ts';
import type { Fields, JsonObject } from '../fields.ts';
import { issuePhoneCode, requireMessageAllowed, requirePhoneNumber } from '../phone/issue-phone-code.ts';
import type { PhoneCodeRequest, PhonePurpose } from '../phone/phone-code.ts';
import {
  checkPhoneCode,
  type FoundPhoneCode,
  recordWrongPhoneCode,
  removePhoneCode,
  requirePhoneCode,
} from '../phone/phone-code-store.ts';
import { countUsedCode } from '../phone/sms-results.ts';
import type { ProjectSettings } from '../projects/project.ts';
import { RECOVERY_AFTER_MS } from '../projects/sms-settings.ts';
import type { FactorKind, FactorStep, StartedChallenge, WrongProof } from './factor.ts';
import { TOTP_PERIOD_SEC } from './totp.ts';

/** Codes in text messages. Each code is valid once. */
export const phoneFactor: FactorKind = {
  name: 'phone',
  blocks: { startEnrollment: 'phoneEnrollmentInfo', finish: 'phoneVerificationInfo' },
  isOffered: ({ secondFactor, sms }) => secondFactor.isSmsEnabled && sms.driver !== null,
  isForMembers: false,
  notOffered: 'SMS based MFA not enabled.',
  onlyOne: null,

  async admitEnrollment(call, services, block) {
    const request = enrollmentOf(requirePhoneNumber(block), '', block, false);
    return requireMessageAllowed(call, services, request);
  },

  startEnrollment(step, block, isAppProven) {
    const phoneNumber = requirePhoneNumber(block);
    requireNotEnrolled(step.account, phoneNumber);
    return { phoneSessionInfo: issue(step, enrollmentOf(phoneNumber, step.account.uid, block, isAppProven)) };
  },

  finishEnrollment(step, block, shared) {
    const { account } = step;
    const found = useCode(
      step,
      block,
      (purpose) => purpose.kind === 'enrollment' && purpose.uid === account.uid,
    );
    if ('error' in found) return found;
    const { phoneNumber } = found;
    requireNotEnrolled(account, phoneNumber);
    return {
      factor: { ...shared, kind: 'phone', phoneNumber },
      answer: { phoneAuthInfo: { phoneNumber } },
    };
  },

  challenge: {
    block: 'phoneSignInInfo',
    async admit(call, services, factor, given) {
      const request = codeRequestOf('', factor, { ...given, isAppProven: false });
      const isProven = await requireMessageAllowed(call, services, request);
      return isProven && !given.isFirst;
    },
    start(step, factor, given) {
      requireUsable(step);
      return { phoneResponseInfo: issue(step, codeRequestOf(step.account.uid, factor, given)) };
    },
  },

  factorIdOf: (_fields, block, records) => enrollmentIdOf(block, records),

  finishSignIn(step, factor, { block, pendingKey }) {
    const { account } = step;
    requireUsable(step);
    const found = useCode(
      step,
      block,
      (purpose) => purpose.kind === 'second-factor' && purpose.pendingKey === pendingKey,
    );
    if ('error' in found) return found;
    const { phoneNumber } = requirePhone(factor);
    // An administrator may have given the factor another number in the meantime.
    if (found.phoneNumber !== phoneNumber) throw new AuthApiError('INVALID_SESSION_INFO');
    return { by: 'factor', account, answer: { phoneAuthInfo: { phoneNumber } } };
  },
};

/** Throws if the project accepts phones for recovery only, and the account has recently used another factor. */
function requireUsable({ account, project, nowMs }: FactorStep): void {
  const { settings } = project;
  if (settings.sms.factorUse === 'ALWAYS') return;
  if (nowMs - lastOtherUseMs(account, settings) >= RECOVERY_AFTER_MS) return;
  throw new AuthApiError(
    'OPERATION_NOT_ALLOWED',
    'In this project a text message is only for recovery. Use another second factor of the account.',
    { uid: account.uid },
  );
}

/** Returns when a factor of an account that the project accepts, other than a phone, was last used; 0 for never. */
function lastOtherUseMs({ factors, passkeys }: Account, settings: ProjectSettings): number {
  const steps = factors.map((factor) => (factor.kind === 'totp' ? factor.lastStep : 0));
  const times = passkeys.map(({ lastUsedAtMs }) => lastUsedAtMs ?? 0);
  const appMs = settings.secondFactor.isTotpEnabled ? Math.max(0, ...steps) * TOTP_PERIOD_SEC * 1_000 : 0;
  return settings.passkeys.isEnabled ? Math.max(appMs, ...times) : appMs;
}

function enrollmentOf(phoneNumber: string, uid: string, app: Fields, isProven: boolean): PhoneCodeRequest {
  return { phoneNumber, purpose: { kind: 'enrollment', uid }, app, isProven };
}

/**
 * Returns the request for a code. The first message of a sign-in needs no proof of the app: the client has proven the
 * first factor.
 */
function codeRequestOf(
  uid: string,
  factor: SecondFactor,
  { block, pendingKey, isFirst, isAppProven }: StartedChallenge,
): PhoneCodeRequest {
  const { phoneNumber, enrollmentId } = requirePhone(factor);
  return {
    phoneNumber,
    purpose: { kind: 'second-factor', uid, enrollmentId, pendingKey },
    app: block,
    isProven: isFirst || isAppProven,
  };
}

function issue({ transaction, call, services }: FactorStep, request: PhoneCodeRequest): JsonObject {
  return { sessionInfo: issuePhoneCode(transaction, call, services, request) };
}

/** Uses up the code of a request and returns it. If the code is wrong, counts the attempt and returns the reason. */
function useCode(
  { transaction, services, project, nowMs }: FactorStep,
  block: Fields,
  isExpected: (purpose: PhonePurpose) => boolean,
): FoundPhoneCode | WrongProof {
  const sessionInfo = block.require('sessionInfo', 'MISSING_SESSION_INFO');
  const code = block.require('code', 'MISSING_CODE');
  const records = transaction.records(accountRecords(project.scope));
  const { kind, found } = checkPhoneCode(
    records,
    { sessionInfo, code },
    isExpected,
    services.phones.codeKey,
    nowMs,
  );
  if (kind === 'right') {
    removePhoneCode(records, found);
    countUsedCode(transaction, project.id, found);
    return found;
  }
  recordWrongPhoneCode(records, found, nowMs);
  return { by: 'nothing', error: kind === 'foreign' ? 'INVALID_SESSION_INFO' : 'INVALID_CODE' };
}

/** Returns the id of the factor to whose number a code was sent; `null` if it was sent for another purpose. */
function enrollmentIdOf(block: Fields, records: RecordView): string | null {
  const sessionInfo = block.require('sessionInfo', 'MISSING_SESSION_INFO');
  block.require('code', 'MISSING_CODE');
  const { purpose } = requirePhoneCode(records, sessionInfo);
  return purpose.kind === 'second-factor' ? purpose.enrollmentId : null;
}

function requireNotEnrolled({ factors }: Account, phoneNumber: string): void {
  if (factors.some((factor) => factor.kind === 'phone' && factor.phoneNumber === phoneNumber))
    throw new AuthApiError(
      'SECOND_FACTOR_EXISTS',
      'Phone number already enrolled as second factor for this account.',
    );
}

function requirePhone(factor: SecondFactor): Extract<SecondFactor, { readonly kind: 'phone' }> {
  if (factor.kind !== 'phone') throw new Error('Bug: a second factor of another kind.');
  return factor;
}
