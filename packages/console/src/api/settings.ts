import type { Api } from './client.ts';

/** The configuration of how people sign in to a project, as the official interface has it. */
export type SignInConfig = Readonly<Record<string, unknown>>;

function configAddress(project: string): string {
  return `/identitytoolkit.googleapis.com/v2/projects/${encodeURIComponent(project)}/config`;
}

export function readConfig(api: Api, project: string): Promise<SignInConfig> {
  return api.json(configAddress(project));
}

/** Changes members of the configuration by their paths, such as `signIn.email.enabled`, and nothing else of it. */
export function changeConfig(
  api: Api,
  project: string,
  values: Readonly<Record<string, unknown>>,
): Promise<SignInConfig> {
  const body = Object.entries(values).reduce<SignInConfig>(
    (config, [path, value]) => withAt(config, path.split('.'), value),
    {},
  );
  const updateMask = Object.keys(values).join(',');
  return api.json(configAddress(project), { method: 'PATCH', query: { updateMask }, body });
}

function withAt(json: SignInConfig, [name, ...rest]: readonly string[], value: unknown): SignInConfig {
  if (name === undefined) return json;
  const inner = json[name];
  const next = rest.length === 0 ? value : withAt(typeof inner === 'object' ? { ...inner } : {}, rest, value);
  return { ...json, [name]: next };
}

/** What a mail can be about. */
export const MAIL_KINDS = [
  'verifyEmail',
  'resetPassword',
  'emailSignIn',
  'changeEmail',
  'recoverEmail',
  'secondFactorAdded',
  'secondFactorRemoved',
  'recoveryCodesMade',
  'passwordChanged',
  'emailInUse',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** A project's own words for a mail in one language; what is missing stays as it is without them. */
export interface MailTemplate {
  readonly subject?: string;
  readonly senderName?: string;
  readonly replyTo?: string;
  readonly body?:
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'html'; readonly html: string };
}

export interface MailStatus {
  /** Mails of all projects that wait. */
  readonly waiting: number;
  readonly oldestAtMs?: number;
  /** Mails of all projects that were given up. */
  readonly dead: number;
  readonly lastFailure?: { readonly atMs: number; readonly reason: string };
}

/** A mail of the project that was given up. */
export interface DeadMail {
  readonly id: string;
  readonly kind: string;
  readonly to: string;
  readonly diedAtMs: number;
  readonly attempts: number;
  readonly reason: string;
}

/** Which mail, and with which words if not with those of the project. */
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

/** How a mail looks. Rejects with what is wrong with its words. */
export function previewMail(
  api: Api,
  project: string,
  sample: MailSample,
  signal: AbortSignal,
): Promise<MailPreview> {
  return api.json(mailAddress(project, '/preview'), { method: 'POST', body: sample, signal });
}

/** Sends a mail at once; without a sample, one to verify an address. */
export function sendTestMail(
  api: Api,
  project: string,
  to: string,
  sample?: MailSample,
): Promise<TestOutcome> {
  return api.json(mailAddress(project, '/test'), { method: 'POST', body: { to, ...sample } });
}
