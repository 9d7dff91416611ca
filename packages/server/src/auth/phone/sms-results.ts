import { NO_REQUEST } from '../../audit/trail.ts';
import type { DeliveryFailure } from '../../outbox/message.ts';
import type { DueMessage } from '../../outbox/record.ts';
import type { Logger } from '../../platform/logger.ts';
import { SmsRejection } from '../../sms/rejection.ts';
import type { SmsResult } from '../../sms/service-requests.ts';
import type { OutgoingTextMessage } from '../../sms/text-message.ts';
import { mailOwners } from '../roles/owner-notices.ts';
import type { AuthServices } from '../services.ts';

/**
 * Passes on what an SMS service decided about a message: to the request that waits for it, and to the owners if they have
 * to act. Never rejects, because the message must not be sent again after a failure here.
 */
export async function reportSmsResult(
  services: AuthServices,
  logger: Logger,
  { id, project, origin }: OutgoingTextMessage,
  result: SmsResult,
): Promise<void> {
  services.phones.outcomes.settle(id, result.kind === 'accepted' ? 'accepted' : result.rejection.code);
  if (result.kind === 'accepted') return;
  const { code, message: detail } = result.rejection;
  if (code !== 'credentials' && code !== 'account') return;
  try {
    await services.recordStore.change((transaction) => {
      const found = services.projects.find(project);
      if (found === undefined) return;
      mailOwners(transaction, services, {
        project: found,
        origin,
        notice: { kind: 'smsServiceRejects', detail },
      });
    });
  } catch (error) {
    logger.error({ err: error, project }, 'the owners of a project cannot be notified');
  }
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
    result: failure instanceof SmsRejection ? failure.code : 'expired',
    detail: failure?.message ?? null,
  });
}
