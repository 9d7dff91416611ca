import { Outbox } from '../../outbox/outbox.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { deriveKey, type SecretKey } from '../../platform/secret-key.ts';
import type { RecordStore } from '../../records/store.ts';
import { SMS_LIMITS, type SmsLimits, UNLIMITED_SMS } from '../../sms/budgets.ts';
import { SmsOutcomes } from '../../sms/outcomes.ts';
import { SMS_QUEUE } from '../../sms/queue.ts';
import type { TextMessage } from '../../sms/text-message.ts';
import { SmsPumping } from './pumping.ts';
import { RecentSmsCodes } from './recent-sms-codes.ts';

/** The services for codes in text messages. */
export interface PhoneServices {
  readonly outbox: Outbox<TextMessage>;
  readonly outcomes: SmsOutcomes;
  readonly limits: SmsLimits;
  readonly pumping: SmsPumping;
  /** The key of the MACs of codes. */
  readonly codeKey: SecretKey;
  /** The key of the secrets in the URLs for receipts. */
  readonly receiptKey: SecretKey;
  /** Codes in clear text; `null` except in development mode. */
  readonly recentCodes: RecentSmsCodes | null;
}

export interface PhoneServicesOptions {
  readonly recordStore: RecordStore;
  readonly box: SecretBox;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly secretKey: SecretKey;
  readonly isDevelopment: boolean;
}

export function openPhoneServices(options: PhoneServicesOptions): PhoneServices {
  const { recordStore, box, randomBytes, secretKey, isDevelopment } = options;
  return {
    outbox: new Outbox({ recordStore, box, randomBytes, policy: SMS_QUEUE }),
    outcomes: new SmsOutcomes(),
    limits: isDevelopment ? UNLIMITED_SMS : SMS_LIMITS,
    pumping: new SmsPumping(),
    codeKey: deriveKey(secretKey, 'sms codes'),
    receiptKey: deriveKey(secretKey, 'sms receipts'),
    recentCodes: isDevelopment ? new RecentSmsCodes() : null,
  };
}
