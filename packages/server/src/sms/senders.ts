import { DeliveryFailure, requireNotStopped } from '../outbox/message.ts';
import type { HttpSend } from '../platform/network/http-send.ts';
import { RecentMap } from '../platform/recent-map.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import { openSmsSecret, type SmsDriver } from './driver.ts';
import { SmsRejection } from './rejection.ts';
import { type Delivery, deliveryOf, type SmsEndpoints, type SmsResult } from './service-requests.ts';
import type { OutgoingTextMessage, SmsSender } from './text-message.ts';

export interface SmsSendersOptions {
  readonly box: SecretBox;
  readonly send: HttpSend;
  /** Returns the driver of a project, or `undefined` if it has none. */
  readonly findDriver: (project: string) => SmsDriver | undefined;
  /** Returns where the service reports whether a message was delivered; `null` for no report. */
  readonly receiptUrlOf?: (driver: SmsDriver, message: OutgoingTextMessage) => string | null;
  /** Called after each attempt. Never rejects. */
  readonly onResult?: (message: OutgoingTextMessage, result: SmsResult) => Promise<void>;
  /** The origins of the services. Tests replace them. */
  readonly endpoints?: SmsEndpoints;
}

const ENDPOINTS: SmsEndpoints = { twilio: 'https://api.twilio.com', vonage: 'https://rest.nexmo.com' };

/** The sender if no SMS service is set up. */
const MISSING_SENDER: SmsSender = {
  send: () => Promise.reject(new DeliveryFailure('permanent', 'No SMS service is set up.')),
};

/** Maximum number of cached senders. */
const MAX_SENDERS = 1_000;

interface KnownSender {
  readonly sender: SmsSender;
  /** The settings as text, for comparison. */
  readonly driverText: string;
}

/** Caches the sender of each project: the same object until the settings change. */
export class SmsSenders {
  readonly #options: SmsSendersOptions;
  readonly #known = new RecentMap<KnownSender>(MAX_SENDERS);

  constructor(options: SmsSendersOptions) {
    this.#options = options;
  }

  find(project: string): SmsSender {
    const driver = this.#options.findDriver(project);
    if (driver === undefined || driver.kind === 'log') return MISSING_SENDER;
    const driverText = JSON.stringify(driver);
    const known = this.#known.find(project);
    if (known?.driverText === driverText) return known.sender;
    const sender: SmsSender = { send: (message, signal) => this.#send(driver, message, signal) };
    this.#known.write(project, { sender, driverText });
    return sender;
  }

  async #send(
    driver: Exclude<SmsDriver, { readonly kind: 'log' }>,
    message: OutgoingTextMessage,
    signal: AbortSignal,
  ): Promise<void> {
    requireNotStopped(signal);
    const secret = openSmsSecret(this.#options.box, driver).reveal();
    const delivery = deliveryOf(
      driver,
      secret,
      message,
      this.#options.endpoints ?? ENDPOINTS,
      this.#options.receiptUrlOf?.(driver, message) ?? null,
    );
    const result = await this.#resultOf(delivery, signal);
    // The worker sends the message again after it has stopped.
    if (result.kind === 'rejected' && signal.aborted) throw result.rejection;
    await this.#options.onResult?.(message, result);
    if (result.kind === 'rejected') throw result.rejection;
  }

  async #resultOf({ url, headers, body, resultOf }: Delivery, signal: AbortSignal): Promise<SmsResult> {
    try {
      return resultOf(await this.#options.send(url, { method: 'POST', headers, body }, signal));
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const rejection = new SmsRejection('busy', `the SMS service cannot be reached. ${reason}`, { cause });
      return { kind: 'rejected', rejection };
    }
  }
}
