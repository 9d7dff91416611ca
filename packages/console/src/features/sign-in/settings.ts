import type { SignInConfig } from '../../server/sign-in-settings.ts';

/** Settings by the names that texts have for them, and where they are in the configuration. */
export const SETTINGS = {
  email: 'signIn.email.enabled',
  passwordRequired: 'signIn.email.passwordRequired',
  anonymous: 'signIn.anonymous.enabled',
  duplicateEmails: 'signIn.allowDuplicateEmails',
  noSignUp: 'client.permissions.disabledUserSignup',
  noDeletion: 'client.permissions.disabledUserDeletion',
  privacy: 'emailPrivacyConfig.enableImprovedEmailPrivacy',
  domains: 'authorizedDomains',
  passwordPolicy: 'passwordPolicyConfig',
  secondFactor: 'mfa.state',
  factorProviders: 'mfa.providerConfigs',
  mailMethod: 'notification.sendEmail.method',
  smtp: 'notification.sendEmail.smtp',
  appName: 'notification.sendEmail.hearth.appName',
  senderName: 'notification.sendEmail.hearth.senderName',
  replyTo: 'notification.sendEmail.hearth.replyTo',
  locale: 'notification.defaultLocale',
  callbackUri: 'notification.sendEmail.callbackUri',
} as const;
export type SettingName = keyof typeof SETTINGS;

/** Where the words of mails are: below it the mail, then the language. */
export const TEMPLATES_PATH = 'notification.sendEmail.hearth.templates';

/** What is at a path of the configuration. Empty texts and objects stand for nothing, as the server has them. */
export function valueAt(config: SignInConfig, path: string): unknown {
  return normal(path.split('.').reduce<unknown>((json, name) => Object(json)[name], config));
}

function normal(value: unknown): unknown {
  if (value === '' || value === null) return undefined;
  const isEmpty = typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0;
  return isEmpty ? undefined : value;
}

/** Do two values mean the same? */
export function isSame(a: unknown, b: unknown): boolean {
  return canonical(normal(a)) === canonical(normal(b));
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, json: unknown) =>
      typeof json === 'object' && json !== null && !Array.isArray(json)
        ? Object.fromEntries(Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1)))
        : json,
    ) ?? ''
  );
}

/** A change that somebody else has made of what is changed here, too. */
export interface Conflict {
  readonly path: string;
  readonly theirs: unknown;
}

/** Something that is changed: from what it was when that began, to what it is to be. */
export interface Edit {
  readonly before: unknown;
  readonly after: unknown;
}
export type Edits = Readonly<Record<string, Edit>>;

/**
 * What is left to be saved once some edits were: what was changed, or taken back, while that was under way. It begins from what
 * the server has made of them.
 */
export function editsSince(edits: Edits, saved: Edits, config: SignInConfig): Edits {
  const left = Object.entries({ ...saved, ...edits }).flatMap(([path, edit]) => {
    const done = saved[path];
    if (done === undefined) return [[path, edit] as const];
    const before = valueAt(config, path);
    const after = edits[path] === undefined ? done.before : edit.after;
    const isLeft = !isSame(after, done.after) && !isSame(after, before);
    return isLeft ? [[path, { before, after }] as const] : [];
  });
  return Object.fromEntries(left);
}

/** Edits that somebody else has made impossible to save without a look at theirs. */
export function findConflicts(config: SignInConfig, edits: Edits): readonly Conflict[] {
  return Object.entries(edits).flatMap(([path, { before, after }]) => {
    const theirs = valueAt(config, path);
    return isSame(theirs, before) || isSame(theirs, after) ? [] : [{ path, theirs }];
  });
}
