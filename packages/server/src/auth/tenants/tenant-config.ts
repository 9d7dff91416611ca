import { AuthApiError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import {
  type ConfigContext,
  type ConfigMember,
  findAt,
  invalidConfig,
  leafPaths,
  withAt,
} from '../projects/config-fields.ts';
import { CONFIG_MEMBERS } from '../projects/config-members.ts';
import { SMS_REGIONS } from '../projects/config-sms.ts';
import { DEVELOPMENT_SETTINGS, type Project, type ProjectSettings } from '../projects/project.ts';
import { tenantScope } from './scope.ts';
import type { Tenant } from './tenant.ts';

/** A member of a tenant's configuration that replaces a member of the configuration of its project. */
interface TenantMember {
  readonly path: string;
  readonly member: ConfigMember;
  /** Whether the two members have opposite meanings. */
  readonly isOpposite: boolean;
}

/** Names of members of a project's configuration by those of a tenant, where they differ. */
const RENAMED: Readonly<Record<string, string>> = {
  allowPasswordSignup: 'signIn.email.enabled',
  enableAnonymousUser: 'signIn.anonymous.enabled',
  'mfaConfig.state': 'mfa.state',
  'mfaConfig.enabledProviders': 'mfa.enabledProviders',
  'mfaConfig.providerConfigs': 'mfa.providerConfigs',
  testPhoneNumbers: 'signIn.phoneNumber.testPhoneNumbers',
};
const SHARED: readonly string[] = [
  'client.permissions.disabledUserSignup',
  'client.permissions.disabledUserDeletion',
  'emailPrivacyConfig',
  'passwordPolicyConfig',
  'recaptchaConfig.emailPasswordEnforcementState',
  'recaptchaConfig.phoneEnforcementState',
  SMS_REGIONS,
];

const MEMBERS: readonly TenantMember[] = [
  ...Object.entries(RENAMED).map(([path, name]) => ({ path, member: memberAt(name), isOpposite: false })),
  ...SHARED.map((path) => ({ path, member: memberAt(path), isOpposite: false })),
  {
    path: 'enableEmailLinkSignin',
    member: memberAt('signIn.email.passwordRequired'),
    isOpposite: true,
  },
];

function memberAt(path: string): ConfigMember {
  const member = CONFIG_MEMBERS.find((known) => known.path === path);
  if (member === undefined) throw new Error(`Bug: a project has no setting ${path}.`);
  return member;
}

/** Members that are stored and returned but have no effect in this server. */
const STORED: readonly string[] = ['inheritance', 'monitoring'];
/** Fields that only a tenant has. */
const OWN: readonly string[] = ['displayName', 'disableAuth'];

/** The settings of a new tenant, as in the official service: no sign-in method is enabled. */
export const NEW_TENANT: JsonObject = {
  allowPasswordSignup: false,
  enableEmailLinkSignin: false,
  enableAnonymousUser: false,
  disableAuth: false,
  mfaConfig: { state: 'DISABLED', enabledProviders: [] },
};

/** The settings of a tenant that exists in development mode without a record, as in the official emulator. */
export const DEVELOPMENT_TENANT: JsonObject = {
  allowPasswordSignup: true,
  enableEmailLinkSignin: true,
  enableAnonymousUser: true,
  disableAuth: false,
  mfaConfig: { state: 'ENABLED', enabledProviders: ['PHONE_SMS'] },
};

/** Members that contain others. */
const GROUPS: readonly string[] = ['mfaConfig', 'client', 'client.permissions', 'recaptchaConfig'];

const MAX_DISPLAY_NAME = 64;
/** Longest JSON text of the settings of one tenant. */
const MAX_LENGTH = 32_768;

/**
 * Returns the members of a configuration that this server knows; a client may send others. Throws `INVALID_CONFIG` with
 * all problems, and `INVALID_DISPLAY_NAME`.
 */
export function parseTenantConfig(json: JsonObject, context: Omit<ConfigContext, 'before'>): JsonObject {
  const wrong = GROUPS.find((path) => !isJsonObject(findAt(json, path.split('.')) ?? {}));
  if (wrong !== undefined) throw invalidConfig(wrong, 'an object');
  const known = [...MEMBERS.map(({ path }) => path), ...STORED, ...OWN];
  const config = known.reduce<JsonObject>((kept, path) => {
    const value = findAt(json, path.split('.'));
    return value === undefined ? kept : withAt(kept, path.split('.'), value);
  }, {});
  const { displayName, disableAuth } = config;
  if (displayName !== undefined && !isDisplayName(displayName))
    throw new AuthApiError('INVALID_DISPLAY_NAME', `Use 1 to ${MAX_DISPLAY_NAME} printable characters.`);
  if (disableAuth !== undefined && typeof disableAuth !== 'boolean')
    throw invalidConfig('disableAuth', 'true or false');
  const problems: string[] = [];
  applyMembers(config, DEVELOPMENT_SETTINGS, context, (error) => {
    if (!(error instanceof AuthApiError) || error.code !== 'INVALID_CONFIG') throw error;
    problems.push(error.detail ?? error.code);
  });
  if (problems.length > 0) throw new AuthApiError('INVALID_CONFIG', problems.join(' '));
  if (JSON.stringify(config).length > MAX_LENGTH)
    throw new AuthApiError('INVALID_CONFIG', `A tenant has at most ${MAX_LENGTH} characters of settings.`);
  return config;
}

function isDisplayName(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length <= MAX_DISPLAY_NAME &&
    /^[^\p{C}\p{Z}](?: ?[^\p{C}\p{Z}])*$/u.test(value)
  );
}

function applyMembers(
  config: JsonObject,
  initial: ProjectSettings,
  context: Omit<ConfigContext, 'before'>,
  onError: (error: unknown) => void,
): ProjectSettings {
  return MEMBERS.reduce((settings, { path, member, isOpposite }) => {
    const value = findAt(config, path.split('.'));
    if (value === undefined) return settings;
    const own = isOpposite && typeof value === 'boolean' ? !value : value;
    try {
      return member.apply(settings, own, path, { ...context, before: initial });
    } catch (error) {
      onError(error);
      return settings;
    }
  }, initial);
}

/** Returns the paths of the settings that differ, for the audit log. */
export function changedTenantMembers(before: JsonObject, after: JsonObject): readonly string[] {
  const paths = [...leafPaths(before), ...leafPaths(after)].map((path) => path.join('.'));
  return [...new Set(paths)].filter((path) => {
    const [old, next] = [before, after].map((json) => JSON.stringify(findAt(json, path.split('.'))));
    return old !== next;
  });
}

/**
 * Returns a project as one of its tenants changes it: with the accounts of the tenant, and with the settings of the
 * project where the tenant has none. Users of a tenant cannot sign in by phone.
 */
export function projectOfTenant(
  project: Project,
  { id, config }: Tenant,
  context: Omit<ConfigContext, 'before'>,
): Project {
  const settings = applyMembers(config, project.settings, context, (error) => {
    throw error;
  });
  const { displayName } = config;
  return {
    ...project,
    ...(typeof displayName === 'string' ? { tenantName: displayName } : {}),
    scope: tenantScope(project.id, id),
    settings: {
      ...settings,
      isDisabled: settings.isDisabled || config['disableAuth'] === true,
      signIn: { ...settings.signIn, isPhoneEnabled: false },
    },
  };
}
