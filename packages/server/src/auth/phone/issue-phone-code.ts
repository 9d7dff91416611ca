import type { RecordStoreTransaction } from '../../records/store.ts';
import { numberPlanOf } from '../../sms/phone-number.ts';
import { SMS_RECORDS } from '../../sms/queue.ts';
import { isCountryPaused } from '../../sms/statistics.ts';
import { accountRecords } from '../accounts/account-store.ts';
import { parsePhoneNumber } from '../accounts/field-parsers.ts';
import { checkAppProof, isAppProofRequired, type SmsAction } from '../captcha/policy.ts';
import { AuthApiError } from '../errors.ts';
import type { Fields } from '../fields.ts';
import { requireMessagePermitted } from '../hooks/ask-hooks.ts';
import type { Project, ProjectSettings } from '../projects/project.ts';
import { isRegionAllowed } from '../projects/sms-settings.ts';
import type { AuthRequest } from '../request.ts';
import { isMember } from '../roles/member-store.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { type PhoneCodeRequest, type PhonePurpose, SMS_PURPOSE_OF } from './phone-code.ts';
import { addPhoneCode } from './phone-code-store.ts';
import { queueSms, regionError, requireSmsBudget, textOf } from './queue-sms.ts';

const CODE_LENGTH = 6;

/**
 * Returns the number of a request in E.164 form. Punctuation is ignored. Throws `INVALID_PHONE_NUMBER` if it is missing
 * or not valid.
 */
export function requirePhoneNumber(fields: Fields): string {
  return parsePhoneNumber((fields.text('phoneNumber') ?? '').replace(/[\s().-]/g, ''));
}

/** Throws if the users of a project, or of its tenant, cannot sign in by phone. Those of a tenant never can. */
export function requirePhoneEnabled({ scope, settings }: Project): void {
  if (scope.tenantId !== null) throw new AuthApiError('UNSUPPORTED_TENANT_OPERATION');
  if (!settings.signIn.isPhoneEnabled) throw new AuthApiError('OPERATION_NOT_ALLOWED');
}

/** The action for which a client solves a challenge, by the purpose of the message. */
const ACTIONS = {
  'sign-in': 'sendVerificationCode',
  enrollment: 'mfaSmsEnrollment',
  'second-factor': 'mfaSmsSignIn',
} as const satisfies Readonly<Record<PhonePurpose['kind'], SmsAction>>;

/**
 * Throws if the number gets no message, before anything is stored. Reasons: the number cannot receive messages, its country
 * is not allowed, the client lacks a proof that the project requires, clients request codes for many sequential numbers, or
 * the function of the project rejects the message. Returns whether the request is proven, see `PhoneCodeRequest`. Uses up a
 * solved challenge.
 */
export async function requireMessageAllowed(
  call: AuthRequest,
  services: AuthServices,
  { phoneNumber, app, isProven, purpose }: PhoneCodeRequest,
): Promise<boolean> {
  const { settings, id } = call.project;
  if (findFictionalCode(settings, phoneNumber) !== undefined) return isProven;
  const { country, isReachable, isVoip } = numberPlanOf(phoneNumber);
  // Tests of apps use numbers that no country assigns.
  if (!isReachable && !services.isDevelopment)
    throw new AuthApiError('INVALID_PHONE_NUMBER', 'Invalid format.');
  if (isVoip && settings.sms.rejectsVoip) throw new AuthApiError('INVALID_PHONE_NUMBER', 'Invalid format.');
  if (settings.sms.driver === null) throw new AuthApiError('OPERATION_NOT_ALLOWED');
  const isPaused = services.recordStore.read((view) =>
    isCountryPaused(view.records(SMS_RECORDS), id, country),
  );
  if (isPaused || !isRegionAllowed(settings.sms.regions, country)) throw regionError();
  const isAllowed = isProven || (await checkAppProof(call, services, app, ACTIONS[purpose.kind]));
  if (!services.isDevelopment && !services.phones.pumping.isAllowed(id, phoneNumber, services.clock.nowMs()))
    throw new AuthApiError('TOO_MANY_ATTEMPTS_TRY_LATER', undefined, {
      reason: `sequential numbers, ${country ?? 'unknown country'}`,
    });
  const smsType = SMS_PURPOSE_OF[purpose.kind];
  await requireMessagePermitted(call, services, { event: 'beforeSendSms', phoneNumber, smsType });
  return isAllowed;
}

/**
 * Stores a new code and queues the message with it; the message is sent only if the transaction commits. Returns the
 * `sessionInfo` for the client. Throws `QUOTA_EXCEEDED` or `TOO_MANY_ATTEMPTS_TRY_LATER` if a budget is used up. The
 * caller has called `requireMessageAllowed`. Throws `MISSING_CLIENT_IDENTIFIER` if the request is no longer proven, because
 * another message was sent in the meantime.
 */
export function issuePhoneCode(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  services: AuthServices,
  request: PhoneCodeRequest,
): string {
  const { phoneNumber, purpose } = request;
  const { project } = call;
  const { nowMs } = transaction;
  const fictional = findFictionalCode(project.settings, phoneNumber);
  const code = fictional ?? newCode(services.randomBytes);
  // Administrators know the codes of fictional numbers.
  if (
    fictional !== undefined &&
    purpose.kind !== 'sign-in' &&
    isMember(transaction, project.scope, purpose.uid)
  )
    throw new AuthApiError(
      'OPERATION_NOT_ALLOWED',
      'A fictional phone number cannot be used for the account of a member.',
    );
  if (fictional === undefined && !request.isProven && isAppProofRequired(call, services))
    throw new AuthApiError('MISSING_CLIENT_IDENTIFIER');
  const { country } = numberPlanOf(phoneNumber);
  const isFictional = fictional !== undefined;
  const text = isFictional ? null : textOf(call, request, code);
  // Fictional numbers count as well, so that they cannot be used to fill the store. They cost nothing.
  requireSmsBudget(transaction, call, services, request, { country, text });
  const records = transaction.records(accountRecords(project.scope));
  const sessionInfo = addPhoneCode(
    records,
    { phoneNumber, purpose, code, isFictional },
    { key: services.phones.codeKey, randomBytes: services.randomBytes, nowMs },
  );
  if (text !== null) queueSms(transaction, call, services, request, { code, text });
  transaction.onCommit(() => {
    services.captcha.recordEvent(call.client.address);
    const uid = purpose.kind === 'sign-in' ? null : purpose.uid;
    recordAudit(services, call, 'sms_queued', uid, {
      detail: `${SMS_PURPOSE_OF[purpose.kind]}, ${isFictional ? 'fictional' : (country ?? 'unknown country')}`,
    });
    services.phones.recentCodes?.record({
      scope: project.scope,
      phoneNumber,
      code,
      sessionInfo,
    });
  });
  return sessionInfo;
}

/** Returns the code of a fictional number, or `undefined` for other numbers. */
function findFictionalCode({ signIn }: ProjectSettings, phoneNumber: string): string | undefined {
  return Object.hasOwn(signIn.testPhoneNumbers, phoneNumber)
    ? signIn.testPhoneNumbers[phoneNumber]
    : undefined;
}

/** The greatest multiple of 10 up to 256. Bytes from this number on are skipped: they would make some digits likelier. */
const LIMIT = 250;

/** Returns six unpredictable digits. */
function newCode(randomBytes: (count: number) => Uint8Array): string {
  let code = '';
  while (code.length < CODE_LENGTH)
    for (const byte of randomBytes(CODE_LENGTH))
      if (byte < LIMIT && code.length < CODE_LENGTH) code += String(byte % 10);
  return code;
}
