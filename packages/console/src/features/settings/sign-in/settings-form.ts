import { MAIL_KINDS } from '@hearth/core/api/mail-kinds.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Loadable, loadableOf } from '../../../api/query-state.ts';
import { changeConfig, readConfig, type SignInConfig } from '../../../api/settings.ts';
import { useApi, useProjectId, useRights } from '../../../session/session.ts';
import { notify } from '../../../ui/notices.tsx';

/** Paths of settings in the configuration, by the names of their translated labels. */
export const SETTINGS = {
  email: 'signIn.email.enabled',
  passwordRequired: 'signIn.email.passwordRequired',
  anonymous: 'signIn.anonymous.enabled',
  duplicateEmails: 'signIn.allowDuplicateEmails',
  noSignUp: 'client.permissions.disabledUserSignup',
  noDeletion: 'client.permissions.disabledUserDeletion',
  signUpRules: 'hearth.signUp',
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
  phone: 'signIn.phoneNumber.enabled',
  testNumbers: 'signIn.phoneNumber.testPhoneNumbers',
  factorSms: 'mfa.enabledProviders',
  smsRegions: 'smsRegionConfig',
  smsDriver: 'notification.sendSms.hearth.driver',
  smsProof: 'notification.sendSms.hearth.appProof',
  smsPerDay: 'notification.sendSms.hearth.perDay',
  smsLimits: 'notification.sendSms.hearth.limits',
  smsSpending: 'notification.sendSms.hearth.spending',
  smsFactorUse: 'notification.sendSms.hearth.factorUse',
  smsVoip: 'notification.sendSms.hearth.rejectsVoip',
  captchaPassword: 'recaptchaConfig.emailPasswordEnforcementState',
  captchaPhone: 'recaptchaConfig.phoneEnforcementState',
  captchaCost: 'recaptchaConfig.hearth.cost',
  recaptcha: 'recaptchaConfig.hearth.recaptcha',
  appCheckAccounts: 'appCheckConfig.accounts',
  appCheckDatabase: 'appCheckConfig.database',
  appCheckApps: 'appCheckConfig.apps',
  appCheckLimited: 'appCheckConfig.limitedUse',
  passkeys: 'signIn.hearth.passkeys.enabled',
  passkeyDomain: 'signIn.hearth.passkeys.rpId',
  passkeyVerification: 'signIn.hearth.passkeys.userVerification',
  passkeyAnonymous: 'signIn.hearth.passkeys.allowAnonymous',
  passkeyAndroidApps: 'signIn.hearth.passkeys.androidPackages',
  passkeyAndroid: 'signIn.hearth.passkeys.androidKeyHashes',
  passkeyApple: 'signIn.hearth.passkeys.appleAppIds',
  beforeCreate: 'blockingFunctions.triggers.beforeCreate.functionUri',
  beforeCreateAudience: 'blockingFunctions.triggers.beforeCreate.audience',
  beforeSignIn: 'blockingFunctions.triggers.beforeSignIn.functionUri',
  beforeSignInAudience: 'blockingFunctions.triggers.beforeSignIn.audience',
  beforeSendEmail: 'blockingFunctions.triggers.beforeSendEmail.functionUri',
  beforeSendEmailAudience: 'blockingFunctions.triggers.beforeSendEmail.audience',
  beforeSendEmailOpen: 'blockingFunctions.triggers.beforeSendEmail.failOpen',
  beforeSendSms: 'blockingFunctions.triggers.beforeSendSms.functionUri',
  beforeSendSmsAudience: 'blockingFunctions.triggers.beforeSendSms.audience',
  beforeSendSmsOpen: 'blockingFunctions.triggers.beforeSendSms.failOpen',
  lightColor: 'hearth.theme.lightColor',
  darkColor: 'hearth.theme.darkColor',
  cornerRadius: 'hearth.theme.cornerRadius',
  logo: 'hearth.theme.logo',
} as const;
export type SettingName = keyof typeof SETTINGS;

/** Path of the email templates. The next keys are the kind of email and the language. */
export const TEMPLATES_PATH = 'notification.sendEmail.hearth.templates';

/** Path of the texts of text messages. The next key is the language. */
export const SMS_TEMPLATES_PATH = 'notification.sendSms.hearth.templates';

/** Returns the value at a path of the configuration; `undefined` for empty texts and objects, as on the server. */
export function valueAt(config: SignInConfig, path: string): unknown {
  return normalize(path.split('.').reduce<unknown>((json, name) => Object(json)[name], config));
}

function normalize(value: unknown): unknown {
  if (value === '' || value === null) return undefined;
  const isEmpty = typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0;
  return isEmpty ? undefined : value;
}

/** Returns whether two values have the same meaning. Empty values are equal, and the order of properties does not matter. */
export function isSame(a: unknown, b: unknown): boolean {
  return canonical(normalize(a)) === canonical(normalize(b));
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

/** A change by another user to a setting that the user has edited. */
export interface Conflict {
  readonly path: string;
  readonly theirs: unknown;
}

/** An edited setting: its value when the edit began, and its new value. */
export interface Edit {
  readonly before: unknown;
  readonly after: unknown;
}
export type Edits = Readonly<Record<string, Edit>>;

/**
 * Returns the edits that remain after `saved` was written: those that the user made or reverted while saving. For a setting
 * in `saved`, the `before` of the edit is the value in `config`, the configuration after the save.
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

/** Returns the edited settings that another user has changed to a different value since the edit began. */
export function findConflicts(config: SignInConfig, edits: Edits): readonly Conflict[] {
  return Object.entries(edits).flatMap(([path, { before, after }]) => {
    const theirs = valueAt(config, path);
    return isSame(theirs, before) || isSame(theirs, after) ? [] : [{ path, theirs }];
  });
}

/** The settings with unsaved edits, and functions to change them. */
export interface SettingsForm {
  readonly mayChange: boolean;
  /**
   * Whether the user is an owner. Only owners may change settings that decide about access, or where emails and codes are
   * sent.
   */
  readonly mayOwn: boolean;
  /** Edits that differ from the saved settings. */
  readonly edits: Edits;
  readonly conflicts: readonly Conflict[];
  readonly isSaving: boolean;
  readonly error: unknown;
  /** Returns the edited or saved value of a setting. */
  value(path: string): unknown;
  set(path: string, value: unknown): void;
  discard(): void;
  /**
   * Saves all edits together. Reports conflicts instead if another user changed the same settings and `mayOverwrite` is false.
   */
  save(mayOverwrite: boolean): Promise<void>;
  /** Discards the edits of conflicting settings. */
  takeTheirs(): void;
}

interface FormState {
  readonly edits: Edits;
  readonly conflicts: readonly Conflict[];
  readonly isSaving: boolean;
  readonly error?: unknown;
}

const UNTOUCHED: FormState = { edits: {}, conflicts: [], isSaving: false };

/** Loads the settings of the project as a form. */
export function useSettingsForm(): Loadable<SettingsForm> {
  const { t } = useTranslation('sign-in');
  const api = useApi();
  const project = useProjectId();
  const client = useQueryClient();
  const { mayChange, mayOwn } = useRights();
  const queryKey = ['config', project];
  const loaded = loadableOf(useQuery({ queryKey, queryFn: () => readConfig(api, project) }));
  const [state, setState] = useState(UNTOUCHED);
  if (loaded.kind !== 'ready') return loaded;
  const config = loaded.data;
  async function save(mayOverwrite: boolean): Promise<void> {
    // The keyboard command can run during a save.
    if (state.isSaving) return;
    const { edits } = state;
    // The user can change settings while others are saved, so each update builds on the latest state.
    setState((before) => ({ ...before, conflicts: [], isSaving: true }));
    try {
      const now = await readConfig(api, project);
      client.setQueryData<SignInConfig>(queryKey, now);
      const conflicts = findConflicts(now, edits);
      if (conflicts.length > 0 && !mayOverwrite) {
        setState((before) => ({ ...before, conflicts, isSaving: false }));
        return;
      }
      const values = Object.entries(edits).map(([path, { after }]) => [path, after] as const);
      const saved = await changeConfig(api, project, Object.fromEntries(values));
      client.setQueryData<SignInConfig>(queryKey, saved);
      setState((before) => ({ ...UNTOUCHED, edits: editsSince(before.edits, edits, saved) }));
      notify({ kind: 'done', text: t('saved') });
    } catch (error) {
      setState((before) => ({ ...before, conflicts: [], isSaving: false, error }));
    }
  }
  const form: SettingsForm = {
    ...state,
    error: state.error,
    mayChange,
    mayOwn,
    value(path) {
      const edit = state.edits[path];
      return edit === undefined ? valueAt(config, path) : edit.after;
    },
    set(path, after) {
      setState(({ edits, conflicts, isSaving }) => {
        const before = edits[path] === undefined ? valueAt(config, path) : edits[path].before;
        const { [path]: _old, ...others } = edits;
        return {
          conflicts,
          isSaving,
          edits: isSame(before, after) ? others : { ...others, [path]: { before, after } },
        };
      });
    },
    discard: () => setState(UNTOUCHED),
    save,
    takeTheirs() {
      const given = Object.entries(state.edits).filter(
        ([path]) => !state.conflicts.some((one) => one.path === path),
      );
      setState({ ...UNTOUCHED, edits: Object.fromEntries(given) });
    },
  };
  return { kind: 'ready', data: form };
}

const NAMES = Object.keys(SETTINGS).filter((name): name is SettingName => name in SETTINGS);

/** Returns functions that print the label and the values of settings. */
export function useSettingLabel(): {
  labelOf(path: string): string;
  /** Returns `undefined` for values that are too complex for one line. */
  printValue(path: string, value: unknown): string | undefined;
} {
  const { t, i18n } = useTranslation('sign-in');
  return {
    labelOf(path) {
      const name = NAMES.find((known) => SETTINGS[known] === path);
      if (name !== undefined) return t(`setting.${name}`);
      const languages = new Intl.DisplayNames(i18n.language, { type: 'language' });
      const [ofSms] = path.startsWith(`${SMS_TEMPLATES_PATH}.`) ? path.split('.').slice(-1) : [];
      if (ofSms !== undefined) return `${t('sms.text')} · ${languages.of(ofSms) ?? ofSms}`;
      const [kind = '', language = ''] = path.slice(TEMPLATES_PATH.length + 1).split('.');
      const mail = MAIL_KINDS.find((known) => known === kind);
      return mail === undefined ? path : `${t(`mail.${mail}`)} · ${languages.of(language) ?? language}`;
    },
    printValue(path, value) {
      if (typeof value === 'boolean') {
        const isOn = INVERTED.has(path) ? !value : value;
        return t(isOn ? 'value.on' : 'value.off');
      }
      if (value === undefined || value === '') return t('value.none');
      if (path === SETTINGS.logo) return undefined;
      if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
      if (typeof value === 'number') return new Intl.NumberFormat(i18n.language).format(value);
      return typeof value === 'string' ? value : undefined;
    },
  };
}

/** Settings whose switch shows the inverse of the configuration value. */
export const INVERTED: ReadonlySet<string> = new Set([
  SETTINGS.passwordRequired,
  SETTINGS.noSignUp,
  SETTINGS.noDeletion,
]);
