import type { OwnerNotice } from '../../mail/owner-notices.ts';
import { QueueFull } from '../../outbox/outbox.ts';
import { addressLayers } from '../../platform/address-layers.ts';
import type { RecordStoreTransaction } from '../../records/store.ts';
import {
  countSms,
  type LimitedSms,
  type SmsCharge,
  type SmsLimit,
  type WarnedBudget,
} from '../../sms/budgets.ts';
import { numberPlanOf } from '../../sms/phone-number.ts';
import { SMS_RECORDS } from '../../sms/queue.ts';
import { isCountryPaused } from '../../sms/statistics.ts';
import { countSegments, renderNumberChanged, renderSms } from '../../sms/texts.ts';
import { findAuthorizedUrl } from '../codes/links.ts';
import { languageOf } from '../codes/mails.ts';
import { AuthApiError } from '../errors.ts';
import { costOf, isRegionAllowed } from '../projects/sms-settings.ts';
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
  message: Pick<CountedMessage, 'country' | 'text'>,
): void {
  const charge = { phoneNumber, uid: ownerOf(purpose) || null, isProven, ...message };
  const limited = countMessage(transaction, call, services, charge);
  if (limited === undefined) return;
  const { country } = message;
  const reason = `budget of the ${limited.budget}, ${country ?? 'unknown country'}`;
  throw errorOf(limited.limit, reason);
}

/** A message to count. `text` is `null` if no message is sent, because the number is fictional. */
type CountedMessage = Pick<SmsCharge, 'phoneNumber' | 'country' | 'uid' | 'isProven'> & {
  readonly text: string | null;
};

/**
 * Counts a message for its budgets, and notifies the owners when a budget is nearly used up. Returns the budget that
 * prevents the message; `undefined` for none.
 */
function countMessage(
  transaction: RecordStoreTransaction,
  { project, client, origin }: AuthRequest,
  services: AuthServices,
  { text, ...message }: CountedMessage,
): LimitedSms | undefined {
  const { perDay, spending, limits } = project.settings.sms;
  const { isDevelopment, phones } = services;
  const charge = {
    ...message,
    project: project.id,
    host: addressLayers(client.address).host,
    perProjectAndDay: isDevelopment ? Number.POSITIVE_INFINITY : perDay,
    spending:
      isDevelopment || spending === null || text === null
        ? null
        : {
            costMicros: costOf(spending, message.country, countSegments(text)),
            perDayMicros: spending.perDayMicros,
          },
  };
  const applied = isDevelopment ? phones.limits : { ...phones.limits, ...limits };
  const count = countSms(transaction.records(SMS_RECORDS), charge, applied, transaction.nowMs);
  if (count.kind === 'limited') return count;
  for (const budget of count.nearlyUsed)
    mailOwners(transaction, services, { project, origin, notice: noticeOf(budget, message.country) });
  return undefined;
}

function noticeOf(budget: WarnedBudget, country: string | null): OwnerNotice {
  switch (budget) {
    case 'project':
      return { kind: 'smsBudgetNearlyUsed' };
    case 'spending':
      return { kind: 'smsSpendingNearlyUsed' };
    case 'country':
      return { kind: 'smsCountryNearlyUsed', country: country ?? '–' };
    default:
      return budget satisfies never;
  }
}

/** `reason` is for the audit log. */
function errorOf(limit: SmsLimit, reason: string): AuthApiError {
  return limit === 'quota'
    ? new AuthApiError('QUOTA_EXCEEDED', 'Exceeded quota for sending SMS.', { reason })
    : new AuthApiError('TOO_MANY_ATTEMPTS_TRY_LATER', undefined, { reason });
}

const APP_HASH = /^[\w+/]{11}$/;

/** Returns the text of the message with a code, in the language of the client. */
export function textOf(call: AuthRequest, { app }: PhoneCodeRequest, code: string): string {
  const { project, client } = call;
  const { sms, mail } = project.settings;
  const appHash = app.object('autoRetrievalInfo')?.filled('appSignatureHash') ?? '';
  const page = client.origin === null ? undefined : findAuthorizedUrl(client.origin, project.settings);
  return renderSms({
    code,
    appName: mail.appName ?? project.id,
    language: languageOf(call),
    templates: sms.templates,
    webHost: page?.hostname ?? null,
    appHash: APP_HASH.test(appHash) ? appHash : null,
  });
}

/** Queues the message with a code, and registers the request for the decision of the SMS service about it. */
export function queueSms(
  transaction: RecordStoreTransaction,
  call: AuthRequest,
  services: AuthServices,
  { phoneNumber, purpose }: PhoneCodeRequest,
  { code, text }: { readonly code: string; readonly text: string },
): void {
  const { project } = call;
  const { nowMs } = transaction;
  try {
    const outcome = services.phones.outbox.enqueue(transaction, {
      project: project.id,
      kind: SMS_PURPOSE_OF[purpose.kind],
      to: phoneNumber,
      text,
      code,
      locale: languageOf(call),
      origin: call.origin,
      createdAtMs: nowMs,
      validUntilMs: nowMs + PHONE_CODE_MS,
    });
    if (outcome.kind === 'queued')
      transaction.onCommit(() => services.phones.outcomes.expect(call, outcome.id));
  } catch (error) {
    if (error instanceof QueueFull) throw errorOf('quota', 'queue of text messages');
    throw error;
  }
}

/**
 * Queues a message that notifies the previous number of an account of the change. Sends none if the project sends no
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
  const language = languageOf(call);
  const text = renderNumberChanged({ appName: mail.appName ?? project.id, language });
  const charge = { phoneNumber, country, uid, isProven: true, text };
  if (countMessage(transaction, call, services, charge) !== undefined) return;
  try {
    services.phones.outbox.enqueue(transaction, {
      project: project.id,
      kind: 'PHONE_NUMBER_CHANGED',
      to: phoneNumber,
      text,
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
