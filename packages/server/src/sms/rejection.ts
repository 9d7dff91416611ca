import { DeliveryFailure } from '../outbox/message.ts';

/**
 * Why an SMS service did not accept a message. `number`: the number gets no messages. `region`: the account of the owner
 * may not send to the country. `credentials` and `account`: the owner has to act. `blocked`: the webhook of the owner
 * blocked the message. `busy`: the service may accept the message later.
 */
export type SmsRejectionCode =
  | 'number'
  | 'region'
  | 'unsubscribed'
  | 'trial'
  | 'credentials'
  | 'account'
  | 'bug'
  | 'refused'
  | 'blocked'
  | 'busy';

/** Thrown if an SMS service did not accept a message. */
export class SmsRejection extends DeliveryFailure {
  readonly code: SmsRejectionCode;

  constructor(code: SmsRejectionCode, detail: string, options?: ErrorOptions) {
    super(code === 'busy' ? 'temporary' : 'permanent', `${code}: ${detail}`, options);
    this.name = 'SmsRejection';
    this.code = code;
  }
}
