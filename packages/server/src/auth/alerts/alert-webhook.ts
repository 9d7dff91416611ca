import { createHmac } from 'node:crypto';
import type { AlertKind } from '@hearth/core/api/alerts.ts';
import { DeliveryFailure, type MessageSender, type QueuedMessage } from '../../outbox/message.ts';
import { Outbox, type QueuePolicy } from '../../outbox/outbox.ts';
import { OutboxWorker } from '../../outbox/worker.ts';
import type { Logger } from '../../platform/logger.ts';
import { createHttpSend, type HttpSend } from '../../platform/network/http-send.ts';
import type { AddressCheck } from '../../platform/network/public-address.ts';
import { RecentMap } from '../../platform/recent-map.ts';
import type { RecordStoreTransaction } from '../../records/store.ts';
import type { AuthServices } from '../services.ts';

/** A message about an alert that was raised or has ended. */
export interface AlertMessage {
  readonly project: string;
  readonly alert: AlertKind;
  readonly state: 'raised' | 'ended';
  readonly value: number;
  readonly threshold: number;
  readonly atMs: number;
}

/** A message in the outbox. `to` is the host of the webhook when the message was queued. */
interface QueuedAlert extends QueuedMessage {
  readonly kind: AlertKind;
  readonly message: AlertMessage;
}

/** Delays between the attempts to deliver a message, in ms. */
const RETRY_DELAYS_MS = [30_000, 120_000, 600_000] as const;

/**
 * Time after which a message is no longer delivered, in ms: it describes the past, and a later message may contradict
 * it.
 */
const MAX_AGE_MS = 24 * 3_600_000;

/** Interval between checks for due messages, in ms. */
const POLL_MS = 10_000;

/** Maximum number of cached senders. */
const MAX_SENDERS = 1_000;

const ALERT_QUEUE: QueuePolicy<QueuedAlert> = {
  records: 'alerts',
  maxAgeMs: MAX_AGE_MS,
  retryDelayMs: (attempts) => RETRY_DELAYS_MS[attempts - 1] ?? Number.POSITIVE_INFINITY,
  count: () => undefined,
  expiredReason: 'The webhook did not accept the message in time.',
};

const TIMEOUT_MS = 10_000;
const MAX_REPLY_BYTES = 65_536;
const FORBIDDEN =
  'The webhook is not at a public address. The operator can allow other addresses with --allow-private-hooks.';

/** Returns a function that posts alerts to the addresses that `mayReach` allows; `undefined` allows all addresses. */
export function createAlertSend(mayReach: AddressCheck | undefined): HttpSend {
  return createHttpSend({
    mayReach,
    forbidden: FORBIDDEN,
    timeoutMs: TIMEOUT_MS,
    maxReplyBytes: MAX_REPLY_BYTES,
  });
}

/** Where a message goes. */
export interface WebhookTarget {
  readonly url: string;
  /** Signs the message. */
  readonly secret: Buffer;
}

export interface AlertWebhooksOptions {
  readonly services: Pick<AuthServices, 'recordStore' | 'secretBox' | 'clock' | 'randomBytes'>;
  readonly send: HttpSend;
  readonly logger: Logger;
  /** As in the options of an `OutboxWorker`. */
  readonly whenCurrent?: (() => Promise<void>) | undefined;
  /**
   * Returns the current target of a message; `undefined` if a later message has replaced it, or if the project has no
   * webhook.
   */
  readonly findTarget: (message: AlertMessage) => WebhookTarget | undefined;
  /** Called when the server has given up on a message of a project. */
  readonly onLost: (project: string, reason: string) => void;
}

/** Posts messages to webhooks, with retries. They wait in the store, so that a restart loses none. */
export class AlertWebhooks {
  readonly #options: AlertWebhooksOptions;
  readonly #outbox: Outbox<QueuedAlert>;
  readonly #senders = new RecentMap<MessageSender<QueuedAlert>>(MAX_SENDERS);
  readonly worker: OutboxWorker<QueuedAlert>;

  constructor(options: AlertWebhooksOptions) {
    const { services, logger, whenCurrent, onLost } = options;
    const { recordStore, secretBox: box, randomBytes, clock } = services;
    this.#options = options;
    this.#outbox = new Outbox({ recordStore, box, randomBytes, policy: ALERT_QUEUE });
    this.worker = new OutboxWorker({
      outbox: this.#outbox,
      findSender: (project) => this.#senderOf(project),
      noun: 'a message about an alert',
      pollMs: POLL_MS,
      clock,
      logger,
      whenCurrent,
      onGivenUp: ({ project }, failure) => onLost(project, failure?.message ?? ALERT_QUEUE.expiredReason),
    });
  }

  /** Queues a message if and when the transaction commits. Throws `QueueFull`. */
  add(transaction: RecordStoreTransaction, message: AlertMessage, url: string): void {
    const { project, alert: kind } = message;
    this.#outbox.enqueue(transaction, { project, kind, to: new URL(url).host, message });
  }

  /** Returns the sender of a project. Each project has its own, so that a slow webhook delays no other. */
  #senderOf(project: string): MessageSender<QueuedAlert> {
    const known = this.#senders.find(project);
    if (known !== undefined) return known;
    const sender: MessageSender<QueuedAlert> = { send: ({ message }, signal) => this.#post(message, signal) };
    this.#senders.write(project, sender);
    return sender;
  }

  async #post(message: AlertMessage, signal: AbortSignal): Promise<void> {
    const { send, services, findTarget } = this.#options;
    const target = findTarget(message);
    if (target === undefined) return;
    const body = JSON.stringify(message);
    const headers = {
      'content-type': 'application/json',
      'hearth-signature': signatureOf(target.secret, Math.floor(services.clock.nowMs() / 1_000), body),
    };
    const { status } = await send(new URL(target.url), { method: 'POST', headers, body }, signal).catch(
      (cause: unknown) => {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new DeliveryFailure('temporary', `${message.alert}: ${reason}`, { cause });
      },
    );
    if (status < 200 || status > 299)
      throw new DeliveryFailure('temporary', `${message.alert}: HTTP ${status}`);
  }
}

/**
 * Returns the signature of a message, such as `t=1700000000,v1=5f…`: the time in seconds, and the HMAC-SHA256 of the time, a
 * dot and the body, in hexadecimal digits.
 */
export function signatureOf(secret: Buffer, timeSec: number, body: string): string {
  return `t=${timeSec},v1=${createHmac('sha256', secret).update(`${timeSec}.${body}`).digest('hex')}`;
}
