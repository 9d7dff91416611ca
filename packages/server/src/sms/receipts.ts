import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { RecordTransaction } from '../records/store.ts';
import { countSmsReceipt, type SentSms } from './statistics.ts';

/** The report of an SMS service about an accepted message. */
export interface SmsReceipt {
  /** The service's own id of the message. */
  readonly providerId: string;
  readonly state: 'delivered' | 'failed';
  /** The error code of the service; `null` if the message was delivered. */
  readonly code: string | null;
}

/** The states of Twilio after which a message does not change. */
const TWILIO_STATES: Readonly<Record<string, SmsReceipt['state']>> = {
  delivered: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
};

const MAX_CODE_LENGTH = 20;

/**
 * Returns the receipt in a form that Twilio sends; `undefined` if the state of the message is not final. `null` if the
 * signature is wrong: a MAC with the account's token over the URL and the sorted fields of the form.
 */
export function parseTwilioReceipt(
  url: string,
  form: URLSearchParams,
  signature: string,
  token: string,
): SmsReceipt | undefined | null {
  const fields = [...form].sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  const signed = fields.reduce((text, [name, value]) => `${text}${name}${value}`, url);
  if (!isSameText(createHmac('sha1', token).update(signed).digest('base64'), signature)) return null;
  const state = TWILIO_STATES[form.get('MessageStatus') ?? ''];
  const providerId = form.get('MessageSid') ?? '';
  if (state === undefined || providerId === '') return undefined;
  const code = state === 'delivered' ? null : (form.get('ErrorCode')?.slice(0, MAX_CODE_LENGTH) ?? '');
  return { providerId, state, code };
}

/** The states of Vonage after which a message does not change. */
const VONAGE_STATES: Readonly<Record<string, SmsReceipt['state']>> = {
  delivered: 'delivered',
  expired: 'failed',
  failed: 'failed',
  rejected: 'failed',
};

/**
 * Returns the receipt in the members that Vonage sends; `undefined` if the state of the message is not final. `null` if the
 * signature is wrong: a MAC (SHA-256) over the sorted members, in which `&` and `=` are replaced.
 */
export function parseVonageReceipt(
  members: ReadonlyMap<string, string>,
  secret: string,
): SmsReceipt | undefined | null {
  const signed = [...members]
    .filter(([name]) => name !== 'sig')
    .sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
    .map(([name, value]) => `&${name}=${value.replace(/[&=]/g, '_')}`)
    .join('');
  const signature = (members.get('sig') ?? '').toLowerCase();
  if (!isSameText(createHmac('sha256', secret).update(signed).digest('hex'), signature)) return null;
  const state = VONAGE_STATES[members.get('status') ?? ''];
  const providerId = members.get('messageId') ?? '';
  if (state === undefined || providerId === '') return undefined;
  const code = state === 'delivered' ? null : (members.get('err-code')?.slice(0, MAX_CODE_LENGTH) ?? '');
  return { providerId, state, code };
}

/** Compares two texts in a time that does not depend on where they differ. */
export function isSameText(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length === second.length && timingSafeEqual(first, second);
}

const DAY_MS = 24 * 3_600_000;
/** Maximum number of messages of a day whose receipts are awaited, of all projects. */
const MAX_AWAITED = 50_000;

/**
 * Awaits the receipt of a message. The messages of today and yesterday are stored at `awaited/<day>/<hash>`, and their
 * number at `awaitedCount/<day>`.
 */
export function awaitReceipt(
  records: RecordTransaction,
  sent: SentSms,
  providerId: string,
  nowMs: number,
): void {
  const day = Math.floor(nowMs / DAY_MS);
  const count = Number(records.find(['awaitedCount', dayKey(day)]) ?? 0);
  if (count >= MAX_AWAITED) return;
  if (count === 0)
    for (const past of records.listKeys(['awaitedCount'], { before: dayKey(day - 1), limit: 10 })) {
      records.write(['awaited', past], null);
      records.write(['awaitedCount', past], null);
    }
  records.write(['awaitedCount', dayKey(day)], count + 1);
  records.write(['awaited', dayKey(day), hashOf(sent.project, providerId)], {
    country: sent.country ?? '',
    createdAtMs: sent.createdAtMs,
  });
}

/**
 * Counts the receipt of a message for its country. Does nothing if the message is unknown or its receipt was counted
 * already, because services send receipts several times.
 */
export function recordReceipt(
  records: RecordTransaction,
  project: string,
  receipt: SmsReceipt,
  nowMs: number,
): void {
  const today = Math.floor(nowMs / DAY_MS);
  for (const day of [today, today - 1]) {
    const location = ['awaited', dayKey(day), hashOf(project, receipt.providerId)];
    const found = records.find(location);
    if (found === undefined) continue;
    const { country, createdAtMs } = Object(found);
    records.write(location, null);
    const sent = {
      project,
      country: country === '' ? null : String(country),
      createdAtMs: Number(createdAtMs),
    };
    countSmsReceipt(records, sent, receipt.state, nowMs);
    return;
  }
}

function dayKey(day: number): string {
  return `d${String(day).padStart(7, '0')}`;
}

function hashOf(project: string, providerId: string): string {
  return createHash('sha256')
    .update(JSON.stringify([project, providerId]))
    .digest('base64url');
}
