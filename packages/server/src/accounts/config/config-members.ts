import { decodePasswordPolicyConfig, PasswordPolicyError } from '../../passwords/decode-password-policy.ts';
import { encodePasswordPolicyConfig } from '../../passwords/password-policy-json.ts';
import { IdentityError } from '../identity-error.ts';
import type { ProjectSettings } from '../project-settings.ts';
import type { ConfigMember } from './config-member.ts';
import { mustBeDomains, mustBeFlag, mustBeOneOf } from './config-value.ts';
import { MAIL_MEMBERS } from './mail-members.ts';
import { decodeProviderConfigs, encodeProviderConfigs } from './second-factor-config.ts';

/** What of the configuration has an effect here. */
export const CONFIG_MEMBERS: readonly ConfigMember[] = [
  {
    path: 'signIn.email.enabled',
    encode: ({ signIn }) => signIn.isEmailEnabled,
    apply: (settings, value, path) => withSignIn(settings, { isEmailEnabled: mustBeFlag(value, path) }),
  },
  {
    path: 'signIn.email.passwordRequired',
    encode: ({ signIn }) => !signIn.isEmailLinkEnabled,
    apply: (settings, value, path) => withSignIn(settings, { isEmailLinkEnabled: !mustBeFlag(value, path) }),
  },
  {
    path: 'signIn.anonymous.enabled',
    encode: ({ signIn }) => signIn.isAnonymousEnabled,
    apply: (settings, value, path) => withSignIn(settings, { isAnonymousEnabled: mustBeFlag(value, path) }),
  },
  {
    path: 'signIn.allowDuplicateEmails',
    encode: ({ signIn }) => signIn.areDuplicateEmailsAllowed,
    apply: (settings, value, path) =>
      withSignIn(settings, { areDuplicateEmailsAllowed: mustBeFlag(value, path) }),
  },
  {
    path: 'client.permissions.disabledUserSignup',
    encode: ({ isSignUpEnabled }) => !isSignUpEnabled,
    apply: (settings, value, path) => ({ ...settings, isSignUpEnabled: !mustBeFlag(value, path) }),
  },
  {
    path: 'client.permissions.disabledUserDeletion',
    encode: ({ isDeletionEnabled }) => !isDeletionEnabled,
    apply: (settings, value, path) => ({ ...settings, isDeletionEnabled: !mustBeFlag(value, path) }),
  },
  {
    path: 'emailPrivacyConfig.enableImprovedEmailPrivacy',
    encode: ({ isEmailPrivate }) => isEmailPrivate,
    apply: (settings, value, path) => ({ ...settings, isEmailPrivate: mustBeFlag(value, path) }),
  },
  {
    path: 'authorizedDomains',
    encode: ({ authorizedDomains }) => authorizedDomains,
    apply: (settings, value, path) => ({ ...settings, authorizedDomains: mustBeDomains(value, path) }),
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
        state: mustBeOneOf(value, path, ['DISABLED', 'ENABLED', 'MANDATORY']),
      },
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
];

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
    throw new IdentityError('INVALID_CONFIG', cause.message, { cause });
  }
}
