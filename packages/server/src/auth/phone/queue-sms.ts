import type { OwnerNotice } from '../../mail/owner-notices.ts';
import { QueueFull } from '../../outbox/outbox.ts';
import { addressLayers } from '../../platform/address-layers.ts';
import type { RecordStoreTransaction } from '../../records/store.ts';
import { countSms, type SmsCharge, type SmsLimit, type WarnedBudget } from '../../sms/budgets.ts';
import { numberPlanOf } from '../../sms/phone-number.ts';
import { SMS_RECORDS } from '../../sms/queue.ts';
import { isCountryPaused } from '../../sms/statistics.ts';
import { renderNumberChanged, renderSms } from '../../sms/texts.ts';
import { findAuthorizedUrl } from '../codes/links.ts';
import { languageOf } from '../codes/mails.ts';
import { AuthApiError } from '../errors.ts';
import { isRegionAllowed } from '../projects/sms-settings.ts';
import type { AuthRequest } from '../request.ts';
import { mailOwners } from '../roles/owner-notices.ts';
import type { AuthServices } from '../services.ts';
import { ownerOf, type PhoneCodeRequest, SMS_PURPOSE_OF } from './phone-code.ts';
import { PHONE_CODE_MS } from './phone-code-store.ts';

/**
 * Counts a message for its budgets, and notifies the owners when a budget is nearly used up. Throws `QUOTA_EXCEEDED` or
 * `TOO_MANY_ATTEMPTS_TRY_LATER` if one is used up.
 */
export function requireSmsBudget(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  services: AuthServices,
  { phoneNumber, purpose, isProven }: PhoneCodeRequest,
  country: string | null,
): void {
  const charge = { phoneNumber, country, uid: ownerOf(purpose) || null, isProven };
  const limit = countMessage(transaction, call, services, charge);
  if (limit !== undefined) throw errorOf(limit);
}

/**
 * Counts a message for its budgets, and notifies the owners when a budget is nearly used up. Returns the limit that prevents
 * the message; `undefined` for none.
 */
function countMessage(
  transaction: RecordStoreTransaction,
  { project, client, origin }: AuthRequest,
  services: AuthServices,
  message: Pick<SmsCharge, 'phoneNumber' | 'country' | 'uid' | 'isProven'>,
): SmsLimit | undefined {
  const charge = {
    ...message,
    project: project.id,
    host: addressLayers(client.address).host,
    perProjectAndDay: services.isDevelopment ? Number.POSITIVE_INFINITY : project.settings.sms.perDay,
  };
  const count = countSms(transaction.records(SMS_RECORDS), charge, services.phones.limits, transaction.nowMs);
  if (count.kind === 'limited') return count.limit;
  for (const budget of count.nearlyUsed)
    mailOwners(transaction, services, { project, origin, notice: noticeOf(budget, message.country) });
  return undefined;
}

function noticeOf(budget: WarnedBudget, country: string | null): OwnerNotice {
  return budget === 'project'
    ? { kind: 'smsBudgetNearlyUsed' }
    : { kind: 'smsCountryNearlyUsed', country: country ?? '–' };
}

function errorOf(limit: SmsLimit): AuthApiError {
  return limit === 'quota'
    ? new AuthApiError('QUOTA_EXCEEDED', 'Exceeded quota for sending SMS.')
    : new AuthApiError('TOO_MANY_ATTEMPTS_TRY_LATER');
}

const APP_HASH = /^[\w+/]{11}$/;

/** Queues the message with a code, and registers the request for the decision of the SMS service about it. */
export function queueSms(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  services: AuthServices,
  { phoneNumber, purpose, app }: PhoneCodeRequest,
  code: string,
): void {
  const { project, client } = call;
  const { nowMs } = transaction;
  const language = languageOf(call);
  const { sms, mail } = project.settings;
  const appHash = app.object('autoRetrievalInfo')?.filled('appSignatureHash') ?? '';
  const page = client.origin === null ? undefined : findAuthorizedUrl(client.origin, project.settings);
  try {
    const outcome = services.phones.outbox.enqueue(transaction, {
      project: project.id,
      kind: SMS_PURPOSE_OF[purpose.kind],
      to: phoneNumber,
      text: renderSms({
        code,
        appName: mail.appName ?? project.id,
        language,
        templates: sms.templates,
        webHost: page?.hostname ?? null,
        appHash: APP_HASH.test(appHash) ? appHash : null,
      }),
      code,
      locale: language,
      origin: call.origin,
      createdAtMs: nowMs,
      validUntilMs: nowMs + PHONE_CODE_MS,
    });
    if (outcome.kind === 'queued')
      transaction.onCommit(() => services.phones.outcomes.expect(call, outcome.id));
  } catch (error) {
    if (error instanceof QueueFull) throw errorOf('quota');
    throw error;
  }
}

/**
 * Queues a message that notifies the former number of an account of the change. Sends none if the project sends no
 * messages to the number, or if a budget is used up: the change itself must not fail.
 */
export function notifyFormerNumber(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  services: AuthServices,
  { uid, phoneNumber }: { readonly uid: string; readonly phoneNumber: string },
): void {
  const { project, origin } = call;
  const { sms, mail, signIn } = project.settings;
  const { country, isReachable } = numberPlanOf(phoneNumber);
  if (sms.driver === null || Object.hasOwn(signIn.testPhoneNumbers, phoneNumber)) return;
  if ((!isReachable && !services.isDevelopment) || !isRegionAllowed(sms.regions, country)) return;
  if (isCountryPaused(transaction.records(SMS_RECORDS), project.id, country)) return;
  const charge = { phoneNumber, country, uid, isProven: true };
  if (countMessage(transaction, call, services, charge) !== undefined) return;
  const language = languageOf(call);
  try {
    services.phones.outbox.enqueue(transaction, {
      project: project.id,
      kind: 'PHONE_NUMBER_CHANGED',
      to: phoneNumber,
      text: renderNumberChanged({ appName: mail.appName ?? project.id, language }),
      code: '',
      locale: language,
      origin,
      createdAtMs: transaction.nowMs,
    });
  } catch (error) {
    if (!(error instanceof QueueFull)) throw error;
  }
}

/**
 * Waits a short time for the decision of the SMS service about the message of a request. Throws `INVALID_PHONE_NUMBER`
 * or `OPERATION_NOT_ALLOWED` if the service does not send messages to the number or its country. Other rejections are
 * only in the log, the audit log and the console. Called after the commit.
 */
export async function requireSmsAccepted(call: AuthRequest, { phones }: AuthServices): Promise<void> {
  const outcome = await phones.outcomes.outcomeOf(call);
  if (outcome === 'number') throw new AuthApiError('INVALID_PHONE_NUMBER', 'Invalid format.');
  if (outcome === 'region') throw regionError();
}

/** Returns the error for a country to which no messages are sent. */
export function regionError(): AuthApiError {
  return new AuthApiError(
    'OPERATION_NOT_ALLOWED',
    'SMS unable to be sent until this region enabled by the app developer.',
  );
}
