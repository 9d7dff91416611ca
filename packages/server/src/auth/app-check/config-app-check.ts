import {
  APP_CHECK_MODES,
  isAppId,
  LIMITED_USE_METHODS,
  type LimitedUseMethod,
  MAX_APPS,
} from '@hearth/core/api/app-check.ts';
import { type ConfigMember, invalidConfig, requireOneOf } from '../projects/config-fields.ts';
import { APP_CHECK_SERVICES, type AppCheckService } from './app-check-settings.ts';

const PATH = 'appCheckConfig';

/** The members of the configuration for App Check. */
export const APP_CHECK_MEMBERS: readonly ConfigMember[] = [
  ...APP_CHECK_SERVICES.map(modeMember),
  {
    path: `${PATH}.apps`,
    encode: ({ appCheck }) => appCheck.apps,
    apply: (settings, value, path) => ({
      ...settings,
      appCheck: { ...settings.appCheck, apps: requireApps(value ?? [], path) },
    }),
  },
  {
    path: `${PATH}.limitedUse`,
    encode: ({ appCheck: { limitedUse } }) => (limitedUse.length === 0 ? undefined : limitedUse),
    apply: (settings, value, path) => ({
      ...settings,
      appCheck: { ...settings.appCheck, limitedUse: requireMethods(value ?? [], path) },
    }),
  },
];

function requireMethods(value: unknown, path: string): readonly LimitedUseMethod[] {
  const known = LIMITED_USE_METHODS.filter((method) => Array.isArray(value) && value.includes(method));
  if (!Array.isArray(value) || value.some((method) => !LIMITED_USE_METHODS.includes(method)))
    throw invalidConfig(path, `a list of ${LIMITED_USE_METHODS.join(', ')}`);
  return known;
}

function modeMember(service: AppCheckService): ConfigMember {
  return {
    path: `${PATH}.${service}`,
    encode: ({ appCheck }) => appCheck[service],
    apply: (settings, value, path) => ({
      ...settings,
      appCheck: { ...settings.appCheck, [service]: requireOneOf(value ?? 'OFF', path, APP_CHECK_MODES) },
    }),
  };
}

function requireApps(value: unknown, path: string): readonly string[] {
  if (!Array.isArray(value) || value.length > MAX_APPS || !value.every(isAppId))
    throw invalidConfig(path, `a list of at most ${MAX_APPS} app IDs, such as 1:1234:web:abcd`);
  return [...new Set(value)];
}
