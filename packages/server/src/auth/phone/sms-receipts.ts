import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Area } from '../../http/area.ts';
import { COMMON_HEADERS } from '../../http/errors.ts';
import { answerNotFound, sendText } from '../../http/not-found.ts';
import { bodyOf, readBodyText } from '../../http/request-body.ts';
import type { Segments } from '../../http/route-table.ts';
import { pathPolicy, routedArea } from '../../http/routed-area.ts';
import type { Transport } from '../../http/transport.ts';
import type { SecretKey } from '../../platform/secret-key.ts';
import { openSignatureSecret, openSmsSecret, type SmsDriver } from '../../sms/driver.ts';
import { SMS_RECORDS } from '../../sms/queue.ts';
import {
  isSameText,
  parseTwilioReceipt,
  parseVonageReceipt,
  recordReceipt,
  type SmsReceipt,
} from '../../sms/receipts.ts';
import type { AuthServices } from '../services.ts';

const PREFIX = '/__/sms/receipt/';

/** Owns the URLs to which SMS services report whether messages were delivered. */
export const SMS_RECEIPT_POLICY = pathPolicy((path) => path.startsWith(PREFIX), COMMON_HEADERS);

/** Maximum length of a receipt, in bytes. */
const MAX_RECEIPT_BYTES = 16_384;

/**
 * Returns the URL to which a service reports the deliveries of a project's messages; `null` if the service cannot report
 * them. Services report only to public servers with TLS. Twilio signs reports only with the account's own token, and Vonage
 * only with a secret that the project must set. The last segment proves that this server made the URL.
 */
export function smsReceiptUrl(
  key: SecretKey,
  origin: string,
  project: string,
  driver: SmsDriver,
): string | null {
  if (!isReporting(driver) || !origin.startsWith('https:')) return null;
  return `${origin}${PREFIX}${driver.kind}/${secretOf(key, project)}`;
}

type ReportingDriver = Extract<SmsDriver, { readonly kind: 'twilio' | 'vonage' }>;

function isReporting(driver: SmsDriver | null | undefined): driver is ReportingDriver {
  if (driver?.kind === 'twilio') return driver.apiKeySid === null;
  return driver?.kind === 'vonage' && driver.sealedSignatureSecret !== undefined;
}

function secretOf(key: SecretKey, project: string): string {
  return `${project}.${createHmac('sha256', key).update(project).digest('base64url')}`;
}

/** Receives the reports of SMS services. */
export class SmsReceipts {
  readonly #services: Pick<AuthServices, 'projects' | 'phones' | 'recordStore' | 'secretBox'>;
  readonly #originOf: Transport['originOf'];

  constructor(
    services: Pick<AuthServices, 'projects' | 'phones' | 'recordStore' | 'secretBox'>,
    originOf: Transport['originOf'],
  ) {
    this.#services = services;
    this.#originOf = originOf;
  }

  /**
   * `POST /__/sms/receipt/<service>/<secret>`: counts a receipt. Answers a wrong secret and a wrong signature alike, with
   * the status 403.
   */
  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    { service, secret = '' }: Segments,
  ): Promise<void> {
    const { projects, phones, recordStore } = this.#services;
    const id = secret.slice(0, Math.max(0, secret.lastIndexOf('.')));
    const driver = isSameText(secret, secretOf(phones.receiptKey, id))
      ? projects.find(id)?.settings.sms.driver
      : null;
    if (!isReporting(driver) || driver.kind !== service) return answerForbidden(response);
    const receipt = this.#parse(request, driver, await readBodyText(bodyOf(request), MAX_RECEIPT_BYTES));
    if (receipt === null) return answerForbidden(response);
    if (receipt !== undefined)
      await recordStore.change((transaction) =>
        recordReceipt(transaction.records(SMS_RECORDS), id, receipt, transaction.nowMs),
      );
    response.writeHead(204, COMMON_HEADERS).end();
  }

  #parse(request: IncomingMessage, driver: ReportingDriver, body: string): SmsReceipt | undefined | null {
    const { secretBox } = this.#services;
    if (driver.kind === 'vonage') {
      const secret = openSignatureSecret(secretBox, driver)?.reveal();
      return secret === undefined ? null : parseVonageReceipt(membersOf(body), secret);
    }
    return parseTwilioReceipt(
      `${this.#originOf(request)}${request.url ?? ''}`,
      new URLSearchParams(body),
      String(request.headers['x-twilio-signature'] ?? ''),
      openSmsSecret(secretBox, driver).reveal(),
    );
  }
}

/** Returns the members of a receipt of Vonage, which the account sends as a form or as JSON. */
function membersOf(body: string): ReadonlyMap<string, string> {
  try {
    const json: unknown = JSON.parse(body);
    return new Map(Object.entries(Object(json)).map(([name, value]) => [name, String(value)]));
  } catch {
    // A form is not JSON.
    return new Map(new URLSearchParams(body));
  }
}

function answerForbidden(response: ServerResponse): void {
  sendText(response, 403, { ...COMMON_HEADERS, 'content-type': 'text/plain; charset=utf-8' }, 'Forbidden.\n');
}

/** Returns the area to which SMS services report. */
export function smsReceiptArea(receipts: Pick<SmsReceipts, 'answer'>): Area {
  return routedArea({
    policy: SMS_RECEIPT_POLICY,
    errors: { headers: COMMON_HEADERS },
    routes: [
      {
        method: 'POST',
        path: `${PREFIX}{service}/{secret}`,
        answer: (request, response, segments) => receipts.answer(request, response, segments),
      },
    ],
    namesMethods: true,
    answerNotFound: (request, response) => answerNotFound(request, response, COMMON_HEADERS),
  });
}
