import { APP_CHECK_MEMBERS } from '../app-check/config-app-check.ts';
import { AuthApiError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import {
  decodePasswordPolicyConfig,
  encodePasswordPolicyConfig,
  PasswordPolicyError,
} from '../passwords/policy-json.ts';
import { SIGN_UP_MEMBER } from '../sign-up-rules/config-sign-up-rules.ts';
import { THEME_MEMBERS } from '../theme/config-theme.ts';
import { CAPTCHA_MEMBERS } from './config-captcha.ts';
import {
  type ConfigMember,
  findAt,
  invalidConfig,
  requireDomains,
  requireFlag,
  requireOneOf,
} from './config-fields.ts';
import { HOOK_MEMBERS } from './config-hooks.ts';
import { MAIL_MEMBERS } from './config-mail.ts';
import { PASSKEY_MEMBERS } from './config-passkeys.ts';
import { SMS_MEMBERS } from './config-sms.ts';
import type { ProjectSettings } from './project.ts';

const MAX_INTERVALS = 10;

type SecondFactor = ProjectSettings['secondFactor'];

/** Encodes `mfa.providerConfigs`: one entry, for codes of an authenticator app. */
function encodeProviderConfigs({ isTotpEnabled, totpAdjacentIntervals }: SecondFactor): JsonObject[] {
  return [
    {
      state: isTotpEnabled ? 'ENABLED' : 'DISABLED',
      totpProviderConfig: { adjacentIntervals: totpAdjacentIntervals },
    },
  ];
}

function decodeProviderConfigs(value: unknown, path: string, current: SecondFactor): SecondFactor {
  if (!Array.isArray(value) || value.length > 1) throw invalidConfig(path, 'a list of one entry');
  const [entry] = value;
  if (entry === undefined) return { ...current, isTotpEnabled: false };
  if (!isJsonObject(entry) || !isJsonObject(entry['totpProviderConfig']))
    throw invalidConfig(path, 'a list of one entry with totpProviderConfig');
  const state = requireOneOf(entry['state'] ?? 'DISABLED', `${path}.state`, [
    'ENABLED',
    'DISABLED',
    'MANDATORY',
  ]);
  const intervals =
    findAt(entry, ['totpProviderConfig', 'adjacentIntervals']) ?? current.totpAdjacentIntervals;
  if (
    typeof intervals !== 'number' ||
    !Number.isInteger(intervals) ||
    intervals < 0 ||
    intervals > MAX_INTERVALS
  )
    throw invalidConfig(
      `${path}.totpProviderConfig.adjacentIntervals`,
      `a whole number from 0 to ${MAX_INTERVALS}`,
    );
  return { ...current, isTotpEnabled: state !== 'DISABLED', totpAdjacentIntervals: intervals };
}

/** The members of the configuration that have an effect in this server. */
export const CONFIG_MEMBERS: readonly ConfigMember[] = [
  {
    path: 'signIn.email.enabled',
    encode: ({ signIn }) => signIn.isEmailEnabled,
    apply: (settings, value, path) => withSignIn(settings, { isEmailEnabled: requireFlag(value, path) }),
  },
  {
    path: 'signIn.email.passwordRequired',
    encode: ({ signIn }) => !signIn.isEmailLinkEnabled,
    apply: (settings, value, path) => withSignIn(settings, { isEmailLinkEnabled: !requireFlag(value, path) }),
  },
  {
    path: 'signIn.anonymous.enabled',
    encode: ({ signIn }) => signIn.isAnonymousEnabled,
    apply: (settings, value, path) => withSignIn(settings, { isAnonymousEnabled: requireFlag(value, path) }),
  },
  {
    path: 'signIn.allowDuplicateEmails',
    encode: ({ signIn }) => signIn.areDuplicateEmailsAllowed,
    apply: (settings, value, path) =>
      withSignIn(settings, { areDuplicateEmailsAllowed: requireFlag(value, path) }),
  },
  {
    path: 'client.permissions.disabledUserSignup',
    encode: ({ isSignUpEnabled }) => !isSignUpEnabled,
    apply: (settings, value, path) => ({ ...settings, isSignUpEnabled: !requireFlag(value, path) }),
  },
  {
    path: 'client.permissions.disabledUserDeletion',
    encode: ({ isDeletionEnabled }) => !isDeletionEnabled,
    apply: (settings, value, path) => ({ ...settings, isDeletionEnabled: !requireFlag(value, path) }),
  },
  {
    path: 'emailPrivacyConfig',
    // The official service omits `enableImprovedEmailPrivacy` if it is false.
    encode: ({ isEmailPrivate }) => (isEmailPrivate ? { enableImprovedEmailPrivacy: true } : {}),
    apply: (settings, value, path) => ({ ...settings, isEmailPrivate: decodeEmailPrivacy(value, path) }),
  },
  {
    path: 'authorizedDomains',
    encode: ({ authorizedDomains }) => authorizedDomains,
    apply: (settings, value, path) => ({ ...settings, authorizedDomains: requireDomains(value, path) }),
  },
  {
    path: 'passwordPolicyConfig',
    encode: ({ passwordPolicy }) => encodePasswordPolicyConfig(passwordPolicy),
    apply: (settings, value) => ({
      ...settings,
      passwordPolicy: decodePolicy(value, settings.passwordPolicy),
    }),
  },
  {
    path: 'mfa.state',
    encode: ({ secondFactor }) => secondFactor.state,
    apply: (settings, value, path) => ({
      ...settings,
      secondFactor: {
        ...settings.secondFactor,
        state: requireOneOf(value, path, ['DISABLED', 'ENABLED', 'MANDATORY']),
      },
    }),
  },
  {
    path: 'mfa.enabledProviders',
    encode: ({ secondFactor }) => (secondFactor.isSmsEnabled ? ['PHONE_SMS'] : []),
    apply: (settings, value, path) => ({
      ...settings,
      secondFactor: { ...settings.secondFactor, isSmsEnabled: decodeEnabledProviders(value, path) },
    }),
  },
  {
    path: 'mfa.providerConfigs',
    encode: ({ secondFactor }) => encodeProviderConfigs(secondFactor),
    apply: (settings, value, path) => ({
      ...settings,
      secondFactor: decodeProviderConfigs(value, path, settings.secondFactor),
    }),
  },
  ...MAIL_MEMBERS,
  ...SMS_MEMBERS,
  ...APP_CHECK_MEMBERS,
  ...CAPTCHA_MEMBERS,
  ...PASSKEY_MEMBERS,
  ...HOOK_MEMBERS,
  SIGN_UP_MEMBER,
  ...THEME_MEMBERS,
];

function decodeEnabledProviders(value: unknown, path: string): boolean {
  if (!Array.isArray(value) || !value.every((name) => name === 'PHONE_SMS'))
    throw invalidConfig(path, 'a list that contains only PHONE_SMS');
  return value.length > 0;
}

function decodeEmailPrivacy(value: unknown, path: string): boolean {
  if (!isJsonObject(value)) throw invalidConfig(path, 'an object');
  const { enableImprovedEmailPrivacy: flag = false, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new AuthApiError('INVALID_CONFIG', `${path}.${unknown} is not a setting of this server.`);
  return requireFlag(flag, `${path}.enableImprovedEmailPrivacy`);
}

function withSignIn(settings: ProjectSettings, change: Partial<ProjectSettings['signIn']>): ProjectSettings {
  return { ...settings, signIn: { ...settings.signIn, ...change } };
}

function decodePolicy(
  value: unknown,
  current: ProjectSettings['passwordPolicy'],
): ProjectSettings['passwordPolicy'] {
  try {
    return decodePasswordPolicyConfig(value, current);
  } catch (cause) {
    if (!(cause instanceof PasswordPolicyError)) throw cause;
    throw new AuthApiError('INVALID_CONFIG', cause.message, { cause });
  }
}
