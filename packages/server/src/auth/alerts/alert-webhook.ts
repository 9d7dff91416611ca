import { createHmac } from 'node:crypto';
import type { AlertKind } from '@hearth/core/api/alerts.ts';
import { createHttpSend, type HttpSend } from '../../platform/network/http-send.ts';
import type { AddressCheck } from '../../platform/network/public-address.ts';

/** A message about an alert that was raised or has ended. */
export interface AlertMessage {
  readonly project: string;
  readonly alert: AlertKind;
  readonly state: 'raised' | 'ended';
  readonly value: number;
  readonly threshold: number;
  readonly atMs: number;
}

/** Delays between the attempts to deliver a message, in ms. */
const RETRY_DELAYS_MS = [30_000, 120_000, 600_000] as const;

/** Maximum number of messages that are posted at the same time. The others wait for the next evaluation. */
const MAX_POSTED = 50;

interface Waiting {
  readonly body: string;
  readonly url: string;
  readonly secret: Buffer;
  readonly attempts: number;
  readonly dueAtMs: number;
}

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

/**
 * Posts messages to webhooks, with retries. At most one message of each alert waits: a later one replaces it. Messages that
 * wait are lost when the server stops; the alerts are in the audit log as well.
 */
export class AlertWebhooks {
  readonly #send: HttpSend;
  readonly #onLost: (message: AlertMessage, reason: string) => void;
  readonly #waiting = new Map<string, readonly [AlertMessage, Waiting]>();

  /** `onLost` is called when the last attempt to deliver a message has failed. */
  constructor(send: HttpSend, onLost: (message: AlertMessage, reason: string) => void) {
    this.#send = send;
    this.#onLost = onLost;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  add(message: AlertMessage, target: { readonly url: string; readonly secret: Buffer }, nowMs: number): void {
    const body = JSON.stringify(message);
    this.#waiting.set(nameOf(message), [message, { ...target, body, attempts: 0, dueAtMs: nowMs }]);
  }

  /** Delivers messages that are due, at most `MAX_POSTED`. If the signal aborts, those that are not delivered wait. */
  async deliver(nowMs: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return;
    await Promise.all(
      [...this.#waiting.values()]
        .filter(([, { dueAtMs }]) => dueAtMs <= nowMs)
        .slice(0, MAX_POSTED)
        .map(([message, waiting]) => this.#post(message, waiting, nowMs, signal)),
    );
  }

  async #post(
    message: AlertMessage,
    waiting: Waiting,
    nowMs: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const failure = await this.#attempt(waiting, nowMs, signal);
    if (failure !== undefined && signal?.aborted) return;
    const name = nameOf(message);
    // A later message has taken its place.
    if (this.#waiting.get(name)?.[1] !== waiting) return;
    const delayMs = RETRY_DELAYS_MS[waiting.attempts];
    if (failure === undefined || delayMs === undefined) this.#waiting.delete(name);
    else
      this.#waiting.set(name, [
        message,
        { ...waiting, attempts: waiting.attempts + 1, dueAtMs: nowMs + delayMs },
      ]);
    if (failure !== undefined && delayMs === undefined) this.#onLost(message, failure);
  }

  /** Returns why the message was not delivered; `undefined` if it was. */
  async #attempt(
    { url, secret, body }: Waiting,
    nowMs: number,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    const headers = {
      'content-type': 'application/json',
      'hearth-signature': signatureOf(secret, Math.floor(nowMs / 1_000), body),
    };
    try {
      const { status } = await this.#send(new URL(url), { method: 'POST', headers, body }, signal);
      return status >= 200 && status < 300 ? undefined : `HTTP ${status}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

function nameOf({ project, alert }: AlertMessage): string {
  return `${project} ${alert}`;
}

/**
 * Returns the signature of a message, such as `t=1700000000,v1=5f…`: the time in seconds, and the HMAC-SHA256 of the time, a
 * dot and the body, in hexadecimal digits.
 */
export function signatureOf(secret: Buffer, timeSec: number, body: string): string {
  return `t=${timeSec},v1=${createHmac('sha256', secret).update(`${timeSec}.${body}`).digest('hex')}`;
}
