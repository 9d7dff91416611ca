import { createHmac } from 'node:crypto';
import { DeliveryFailure, requireNotStopped } from '../outbox/message.ts';
import type { HttpReply, HttpSend, OutgoingRequest } from '../platform/network/http-send.ts';
import { RecentMap } from '../platform/recent-map.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import { openSmsSecret, type SmsDriver } from './driver.ts';
import type { OutgoingTextMessage, SmsSender } from './text-message.ts';
import { needsUnicode } from './texts.ts';

export interface SmsSendersOptions {
  readonly box: SecretBox;
  readonly send: HttpSend;
  /** Returns the driver of a project, or `undefined` if it has none. */
  readonly findDriver: (project: string) => SmsDriver | undefined;
  /** Where the services are; tests set other servers. */
  readonly endpoints?: SmsEndpoints;
}

export interface SmsEndpoints {
  readonly twilio: string;
  readonly vonage: string;
}

const ENDPOINTS: SmsEndpoints = { twilio: 'https://api.twilio.com', vonage: 'https://rest.nexmo.com' };

/** A message as a driver sends it, and how to read the reply. */
interface Delivery extends Pick<OutgoingRequest, 'headers'> {
  readonly body: string;
  readonly url: URL;
  /** Returns why the service did not accept the message; `undefined` if it did. */
  readonly problemOf: (reply: HttpReply) => DeliveryFailure | undefined;
}

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
    const delivery = deliveryOf(driver, secret, message, this.#options.endpoints ?? ENDPOINTS);
    const failure = delivery.problemOf(await this.#post(delivery, signal));
    if (failure !== undefined) throw failure;
  }

  async #post({ url, headers, body }: Delivery, signal: AbortSignal): Promise<HttpReply> {
    try {
      return await this.#options.send(url, { method: 'POST', headers, body }, signal);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new DeliveryFailure('temporary', `busy: the SMS service cannot be reached. ${reason}`, { cause });
    }
  }
}

function deliveryOf(
  driver: Exclude<SmsDriver, { readonly kind: 'log' }>,
  secret: string,
  message: OutgoingTextMessage,
  endpoints: SmsEndpoints,
): Delivery {
  switch (driver.kind) {
    case 'twilio':
      return {
        url: new URL(
          `/2010-04-01/Accounts/${encodeURIComponent(driver.accountSid)}/Messages.json`,
          endpoints.twilio,
        ),
        headers: {
          authorization: `Basic ${Buffer.from(`${driver.apiKeySid ?? driver.accountSid}:${secret}`).toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({
          To: message.to,
          Body: message.text,
          [driver.from.startsWith('MG') ? 'MessagingServiceSid' : 'From']: driver.from,
        }).toString(),
        problemOf: twilioProblem,
      };
    case 'vonage':
      return {
        url: new URL('/sms/json', endpoints.vonage),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          api_key: driver.apiKey,
          api_secret: secret,
          to: message.to.replace(/^\+/, ''),
          from: driver.from,
          text: message.text,
          ...(needsUnicode(message.text) ? { type: 'unicode' } : {}),
        }),
        problemOf: vonageProblem,
      };
    case 'webhook':
      return webhookDelivery(driver, secret, message);
    default:
      return driver satisfies never;
  }
}

/** Creates a request as in the convention "Standard Webhooks", with which the owner's server verifies its origin. */
function webhookDelivery(
  { url, sendsCode }: Extract<SmsDriver, { readonly kind: 'webhook' }>,
  secret: string,
  message: OutgoingTextMessage,
): Delivery {
  const { id, to, text, code, locale, kind: purpose, project, createdAtMs } = message;
  const createdAt = new Date(createdAtMs).toISOString();
  const body = JSON.stringify({
    type: 'sms',
    id,
    to,
    text,
    ...(sendsCode ? { code } : {}),
    locale,
    purpose,
    project,
    tenant: null,
    createdAt,
  });
  const timestamp = String(Math.floor(createdAtMs / 1000));
  const mac = createHmac('sha256', webhookKeyOf(secret))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
  return {
    url: new URL(url),
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${mac}`,
    },
    body,
    problemOf: webhookProblem,
  };
}

/** Returns the key of a secret: of the form `whsec_<base64>`, or any other text. */
function webhookKeyOf(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
}

function busy(detail: string): DeliveryFailure {
  return new DeliveryFailure('temporary', `busy: ${detail}`);
}

function refused(code: string, detail: string): DeliveryFailure {
  return new DeliveryFailure('permanent', `${code}: ${detail}`);
}

function isBusy(status: number): boolean {
  return status === 429 || status >= 500;
}

/** Error codes of Twilio that say more than "the message was not accepted". */
const TWILIO_CODES: Readonly<Record<string, string>> = {
  20003: 'credentials',
  21211: 'number',
  21408: 'region',
  21608: 'trial',
  21610: 'unsubscribed',
  21612: 'number',
  21614: 'number',
};

function twilioProblem({ status, body }: HttpReply): DeliveryFailure | undefined {
  if (status === 201) return undefined;
  const code = String(membersOf(body)['code'] ?? status);
  const detail = `Twilio answered ${code}.`;
  if (code === '20429' || isBusy(status)) return busy(detail);
  return refused(status === 401 ? 'credentials' : (TWILIO_CODES[code] ?? 'refused'), detail);
}

const VONAGE_CODES: Readonly<Record<string, string>> = {
  2: 'bug',
  3: 'bug',
  4: 'credentials',
  6: 'number',
  7: 'number',
  8: 'account',
  9: 'account',
};

function vonageProblem({ status, body }: HttpReply): DeliveryFailure | undefined {
  const messages = membersOf(body)['messages'];
  const first: unknown = Array.isArray(messages) ? messages[0] : undefined;
  const code =
    typeof first === 'object' && first !== null ? String(Object(first)['status']) : `HTTP ${status}`;
  if (status === 200 && code === '0') return undefined;
  const detail = `Vonage answered ${code}.`;
  if (code === '1' || code === '5' || isBusy(status)) return busy(detail);
  return refused(VONAGE_CODES[code] ?? 'refused', detail);
}

const MAX_REASON_LENGTH = 200;

function webhookProblem({ status, body }: HttpReply): DeliveryFailure | undefined {
  const detail = `The webhook answered ${status}.`;
  if (isBusy(status)) return busy(detail);
  if (status < 200 || status >= 300) return refused('refused', detail);
  const { block } = membersOf(body);
  if (block === undefined) return undefined;
  return refused('blocked', String(block).slice(0, MAX_REASON_LENGTH));
}

/** Returns the members of a JSON text; none if the text is not an object. */
function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? { ...json } : {};
  } catch {
    // A reply without JSON has no members: its status decides.
    return {};
  }
}
