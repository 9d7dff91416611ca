import { NO_REQUEST } from '../../audit/trail.ts';
import type { OwnerNotice } from '../../mail/owner-notices.ts';
import type { DeliveryFailure } from '../../outbox/message.ts';
import type { DueMessage } from '../../outbox/record.ts';
import type { Logger } from '../../platform/logger.ts';
import type { RecordStoreTransaction } from '../../records/store.ts';
import { numberPlanOf } from '../../sms/phone-number.ts';
import { SMS_RECORDS } from '../../sms/queue.ts';
import { awaitReceipt } from '../../sms/receipts.ts';
import { SmsRejection } from '../../sms/rejection.ts';
import type { SmsResult } from '../../sms/service-requests.ts';
import { countAcceptedSms, countUsedSms } from '../../sms/statistics.ts';
import type { OutgoingTextMessage } from '../../sms/text-message.ts';
import { mailOwners } from '../roles/owner-notices.ts';
import type { AuthServices } from '../services.ts';
import type { PhoneCode } from './phone-code.ts';
import { createdAtOf } from './phone-code-store.ts';

/**
 * Passes on the decision of an SMS service about a message: to the request that waits for it, to the statistics, and
 * to the owners if they have to act. Never rejects, because the message must not be sent again after a failure here.
 */
export async function reportSmsResult(
  services: AuthServices,
  logger: Logger,
  message: OutgoingTextMessage,
  result: SmsResult,
): Promise<void> {
  const { id, project, origin } = message;
  const code = result.kind === 'accepted' ? 'accepted' : result.rejection.code;
  services.phones.outcomes.settle(id, code);
  if (code !== 'accepted' && code !== 'credentials' && code !== 'account') return;
  // A message without a code must not count as one whose code no user entered.
  if (code === 'accepted' && message.kind === 'PHONE_NUMBER_CHANGED') return;
  try {
    await services.recordStore.change((transaction) => {
      const found = services.projects.find(project);
      if (found === undefined) return;
      const notice =
        result.kind === 'accepted'
          ? countAccepted(transaction, services, message, result.providerId)
          : ({ kind: 'smsServiceRejects', detail: result.rejection.message } as const);
      if (notice !== undefined) mailOwners(transaction, services, { project: found, origin, notice });
    });
  } catch (error) {
    logger.error({ err: error, project }, 'the result of a text message cannot be recorded');
  }
}

/** Counts a message for its country. If this pauses the country, returns the notice about it. */
function countAccepted(
  transaction: RecordStoreTransaction,
  { audit }: AuthServices,
  { project, to, createdAtMs }: OutgoingTextMessage,
  providerId: string | null,
): OwnerNotice | undefined {
  const { country } = numberPlanOf(to);
  const records = transaction.records(SMS_RECORDS);
  const sent = { project, country, createdAtMs };
  if (providerId !== null) awaitReceipt(records, sent, providerId, transaction.nowMs);
  if (!countAcceptedSms(records, sent, transaction.nowMs)) return undefined;
  transaction.onCommit(() =>
    audit.notify({
      event: 'sms_country_paused',
      projectId: project,
      uid: null,
      actor: 'server',
      ...NO_REQUEST,
      result: 'ok',
      detail: country ?? 'unknown country',
    }),
  );
  return { kind: 'smsCountryPaused', country: country ?? '–' };
}

/** Counts a message whose code a user entered, for its country. Fictional numbers get no message. */
export function countUsedCode(transaction: RecordStoreTransaction, project: string, code: PhoneCode): void {
  if (code.isFictional) return;
  const { country } = numberPlanOf(code.phoneNumber);
  const sent = { project, country, createdAtMs: createdAtOf(code) };
  countUsedSms(transaction.records(SMS_RECORDS), sent, transaction.nowMs);
}

/** Records in the audit log that the server has given up on a message. */
export function auditLostSms(
  { audit }: AuthServices,
  { project }: DueMessage,
  failure: DeliveryFailure | undefined,
): void {
  audit.notify({
    event: 'sms_lost',
    projectId: project,
    uid: null,
    actor: 'server',
    ...NO_REQUEST,
    result: failure instanceof SmsRejection ? failure.code : failure === undefined ? 'expired' : 'failed',
    detail: failure?.message ?? null,
  });
}
