import type { Api } from './client.ts';
import type { DeadMail, MailStatus, TestOutcome } from './settings.ts';

/** Counts of the text messages to a country in the last 24 hours. */
export interface SmsCountry {
  /** In two letters; `null` for numbers without a country. */
  readonly country: string | null;
  readonly accepted: number;
  readonly delivered: number;
  readonly failed: number;
  /** The number of messages whose code a user entered. */
  readonly used: number;
  /** Since when the server sends no messages to the country; `null` if it sends them. */
  readonly pausedAtMs: number | null;
}

/** The queue of text messages of all projects, and the countries of one project. */
export interface SmsStatus extends MailStatus {
  readonly countries: readonly SmsCountry[];
  /** The accounts that cannot sign in because the project has no SMS service; `null` if it has one. */
  readonly blocked: { readonly count: number; readonly isExact: boolean } | null;
}

/** A text message to preview or to send. Without a template, the stored text is used; `null` is the default text. */
export interface SmsSample {
  readonly language: string;
  readonly template?: string | null;
}

export interface SmsPreview {
  readonly text: string;
  /** The number of messages that the SMS service sends for the text. */
  readonly segments: number;
  readonly isUnicode: boolean;
}

function smsAddress(project: string, rest: string): string {
  return `/api/projects/${encodeURIComponent(project)}/sms${rest}`;
}

export function readSmsStatus(api: Api, project: string): Promise<SmsStatus> {
  return api.json(smsAddress(project, ''));
}

/** Returns the text messages that failed permanently, without their texts. */
export async function listDeadSms(api: Api, project: string): Promise<readonly DeadMail[]> {
  const address = smsAddress(project, '/dead');
  const { messages } = await api.json<{ readonly messages: readonly DeadMail[] }>(address);
  return messages;
}

/** Allows text messages to a paused country again. */
export async function resumeSmsCountry(api: Api, project: string, country: string | null): Promise<void> {
  await api.send(smsAddress(project, '/resume'), { method: 'POST', body: { country } });
}

/** Renders a text message. Rejects with an `ApiError` if the template is not valid. */
export function previewSms(
  api: Api,
  project: string,
  sample: SmsSample,
  signal: AbortSignal,
): Promise<SmsPreview> {
  return api.json(smsAddress(project, '/preview'), { method: 'POST', body: sample, signal });
}

/** Sends a text message immediately, bypassing the queue. */
export function sendTestSms(api: Api, project: string, to: string, sample: SmsSample): Promise<TestOutcome> {
  return api.json(smsAddress(project, '/test'), { method: 'POST', body: { to, ...sample } });
}
