import { createHmac } from 'node:crypto';
import { singleLine } from '../mail/mailer.ts';
import type { HttpReply, OutgoingRequest } from '../platform/network/http-send.ts';
import type { SmsDriver } from './driver.ts';
import { SmsRejection, type SmsRejectionCode } from './rejection.ts';
import type { OutgoingTextMessage } from './text-message.ts';
import { needsUnicode } from './texts.ts';

/** The origins of the services, such as `https://api.twilio.com`. Tests replace them. */
export interface SmsEndpoints {
  readonly twilio: string;
  readonly vonage: string;
}

/**
 * The decision of an SMS service about a message. `providerId` is the service's own id of the message; `null` if the
 * response has none.
 */
export type SmsResult =
  | { readonly kind: 'accepted'; readonly providerId: string | null }
  | { readonly kind: 'rejected'; readonly rejection: SmsRejection };

/** The request that sends a message to a service. `resultOf` reads the service's response. */
export interface Delivery extends Pick<OutgoingRequest, 'headers'> {
  readonly body: string;
  readonly url: URL;
  readonly resultOf: (reply: HttpReply) => SmsResult;
}

const MAX_REASON_LENGTH = 200;
/** Maximum length of a service's own id of a message, in characters. A longer id is not stored. */
const MAX_ID_LENGTH = 100;

/**
 * Returns the request that asks a service to send a message. The service reports to `receiptUrl` whether the message was
 * delivered; with `null`, it does not report.
 */
export function deliveryOf(
  driver: Exclude<SmsDriver, { readonly kind: 'log' }>,
  secret: string,
  message: OutgoingTextMessage,
  endpoints: SmsEndpoints,
  receiptUrl: string | null,
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
          ...(receiptUrl === null ? {} : { StatusCallback: receiptUrl }),
        }).toString(),
        resultOf: twilioResult,
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
          ...(receiptUrl === null ? {} : { callback: receiptUrl }),
        }),
        resultOf: vonageResult,
      };
    case 'webhook':
      return webhookDelivery(driver, secret, message);
    default:
      return driver satisfies never;
  }
}

/** Returns a request that is signed as in Standard Webhooks, so that the owner's server can verify who sent it. */
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
    ...(sendsCode && code !== '' ? { code } : {}),
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
    resultOf: webhookResult,
  };
}

/** Returns the bytes of a secret, which has the form `whsec_<base64>` or is any other text. */
function webhookKeyOf(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
}

function accepted(providerId: unknown): SmsResult {
  const isId = typeof providerId === 'string' && providerId.length > 0 && providerId.length <= MAX_ID_LENGTH;
  return { kind: 'accepted', providerId: isId ? providerId : null };
}

function rejected(code: SmsRejectionCode, detail: string): SmsResult {
  return { kind: 'rejected', rejection: new SmsRejection(code, detail) };
}

function isBusy(status: number): boolean {
  return status === 429 || status >= 500;
}

/** Error codes of Twilio with a known reason. */
const TWILIO_CODES: Readonly<Record<string, SmsRejectionCode>> = {
  20003: 'credentials',
  21211: 'number',
  21408: 'region',
  21608: 'trial',
  21610: 'unsubscribed',
  21612: 'number',
  21614: 'number',
};

function twilioResult({ status, body }: HttpReply): SmsResult {
  const members = membersOf(body);
  if (status === 201) return accepted(members['sid']);
  const code = String(members['code'] ?? status);
  const detail = `Twilio answered ${code.slice(0, MAX_REASON_LENGTH)}.`;
  if (code === '20429' || isBusy(status)) return rejected('busy', detail);
  return rejected(status === 401 ? 'credentials' : (TWILIO_CODES[code] ?? 'refused'), detail);
}

/** Status codes of Vonage with a known reason. */
const VONAGE_CODES: Readonly<Record<string, SmsRejectionCode>> = {
  2: 'bug',
  3: 'bug',
  4: 'credentials',
  6: 'number',
  7: 'number',
  8: 'account',
  9: 'account',
};

function vonageResult({ status, body }: HttpReply): SmsResult {
  const messages = membersOf(body)['messages'];
  const first: unknown = Array.isArray(messages) ? messages[0] : undefined;
  const code =
    typeof first === 'object' && first !== null ? String(Object(first)['status']) : `HTTP ${status}`;
  if (status === 200 && code === '0') return accepted(Object(first)['message-id']);
  const detail = `Vonage answered ${code.slice(0, MAX_REASON_LENGTH)}.`;
  // 1: too many requests. 5: an error of Vonage.
  if (code === '1' || code === '5' || isBusy(status)) return rejected('busy', detail);
  return rejected(VONAGE_CODES[code] ?? 'refused', detail);
}

function webhookResult({ status, body }: HttpReply): SmsResult {
  const detail = `The webhook answered ${status}.`;
  if (isBusy(status)) return rejected('busy', detail);
  if (status < 200 || status >= 300) return rejected('refused', detail);
  const { block, providerId } = membersOf(body);
  if (block === undefined) return accepted(providerId);
  return rejected('blocked', singleLine(String(block).slice(0, MAX_REASON_LENGTH)));
}

/** Returns the members of a JSON text; none if the text is not an object. */
function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? { ...json } : {};
  } catch {
    // A response without JSON has no members: its status decides.
    return {};
  }
}
