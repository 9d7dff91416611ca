import type { MailKind } from '@hearth/core/api/mail-kinds.ts';
import type { Api } from './client.ts';

/** The sign-in configuration of a project in the format of the Auth API. */
export type SignInConfig = Readonly<Record<string, unknown>>;

function configAddress(project: string): string {
  return `${authAddress(project)}/config`;
}

function authAddress(project: string): string {
  return `/identitytoolkit.googleapis.com/v2/projects/${encodeURIComponent(project)}`;
}

export async function readConfig(api: Api, project: string): Promise<SignInConfig> {
  return withOmitted(await api.json(configAddress(project)));
}

/** Adds `enableImprovedEmailPrivacy`, which the server omits while it is off. */
function withOmitted(config: SignInConfig): SignInConfig {
  const emailPrivacyConfig = { enableImprovedEmailPrivacy: false, ...Object(config['emailPrivacyConfig']) };
  return { ...config, emailPrivacyConfig };
}

/** Changes the fields with the given paths, such as `signIn.email.enabled`, and returns the new configuration. */
export async function changeConfig(
  api: Api,
  project: string,
  values: Readonly<Record<string, unknown>>,
): Promise<SignInConfig> {
  const body = Object.entries(values).reduce<SignInConfig>(
    (config, [path, value]) => withAt(config, path.split('.'), value),
    {},
  );
  const updateMask = Object.keys(values).join(',');
  return withOmitted(
    await api.json(configAddress(project), { method: 'PATCH', query: { updateMask }, body }),
  );
}

function withAt(json: SignInConfig, [name, ...rest]: readonly string[], value: unknown): SignInConfig {
  if (name === undefined) return json;
  const inner = json[name];
  const next = rest.length === 0 ? value : withAt(typeof inner === 'object' ? { ...inner } : {}, rest, value);
  return { ...json, [name]: next };
}

/** Custom content of an email in one language; missing fields use the default. */
export interface MailTemplate {
  readonly subject?: string;
  readonly senderName?: string;
  readonly replyTo?: string;
  readonly body?:
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'html'; readonly html: string };
}

export interface MailStatus {
  /** Number of queued emails of all projects. */
  readonly waiting: number;
  readonly oldestAtMs?: number;
  /** Number of permanently failed emails of all projects. */
  readonly dead: number;
  readonly lastFailure?: { readonly atMs: number; readonly reason: string };
}

/** An email of the project that failed permanently. */
export interface DeadMail {
  readonly id: string;
  readonly kind: string;
  readonly to: string;
  readonly diedAtMs: number;
  readonly attempts: number;
  readonly reason: string;
}

/** The email to preview or send. `template` replaces the stored template. */
export interface MailSample {
  readonly mail: MailKind;
  readonly language: string;
  readonly template?: MailTemplate;
}

export interface MailPreview {
  readonly from: { readonly name: string; readonly address: string };
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export type TestOutcome =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'refused'; readonly reason: string };

function mailAddress(project: string, rest: string): string {
  return `/api/projects/${encodeURIComponent(project)}/mail${rest}`;
}

export function readMailStatus(api: Api, project: string): Promise<MailStatus> {
  return api.json(mailAddress(project, ''));
}

export async function listDeadMails(api: Api, project: string): Promise<readonly DeadMail[]> {
  const { mails } = await api.json<{ readonly mails: readonly DeadMail[] }>(mailAddress(project, '/dead'));
  return mails;
}

/** Renders an email. Rejects with an `ApiError` if the template is not valid. */
export function previewMail(
  api: Api,
  project: string,
  sample: MailSample,
  signal: AbortSignal,
): Promise<MailPreview> {
  return api.json(mailAddress(project, '/preview'), { method: 'POST', body: sample, signal });
}

/** Sends an email immediately, bypassing the queue. Without a sample, sends the email `verifyEmail`. */
export function sendTestMail(
  api: Api,
  project: string,
  to: string,
  sample?: MailSample,
): Promise<TestOutcome> {
  return api.json(mailAddress(project, '/test'), { method: 'POST', body: { to, ...sample } });
}

/** The number of passkeys of a project; a lower bound if it is not exact. */
export interface PasskeyCount {
  readonly count: number;
  readonly isExact: boolean;
}

export function countPasskeys(api: Api, project: string): Promise<PasskeyCount> {
  return api.json(`/api/projects/${encodeURIComponent(project)}/passkeys`);
}

/** How a function decided about a user who does not exist. */
export interface FunctionTest {
  readonly outcome: 'allowed' | 'rejected' | 'failed';
  /** The problem, or the reason of the function. */
  readonly message: string | null;
  readonly durationMs: number;
}

/** Asks the stored function of an event about a user who does not exist. */
export function testFunction(api: Api, project: string, event: string): Promise<FunctionTest> {
  return api.json(`${authAddress(project)}/blockingFunctions/${event}:test`, { method: 'POST', body: {} });
}

/** Whether reCAPTCHA accepts the stored secret of a key. */
export interface RecaptchaTest {
  readonly siteKey: string;
  readonly state: 'ok' | 'failed';
  readonly message: string | null;
}

export async function testRecaptcha(api: Api, project: string): Promise<readonly RecaptchaTest[]> {
  const { tests } = await api.json<{ readonly tests: readonly RecaptchaTest[] }>(
    `${authAddress(project)}/recaptcha:test`,
    { method: 'POST', body: {} },
  );
  return tests;
}
