import { domainToASCII } from 'node:url';
import { type ConfigMember, invalidConfig, requireFlag, requireOneOf } from './config-fields.ts';
import { type ProjectPasskeys, USER_VERIFICATIONS } from './passkey-settings.ts';
import type { ProjectSettings } from './project.ts';

const HEARTH = 'signIn.hearth.passkeys';
const MAX_APPS = 50;
/** SHA-256 in base64url. */
const KEY_HASH = /^[\w-]{43}$/;
const HOST = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/** Returns a host name in ASCII; `null` for an empty text. IP addresses cannot have passkeys. */
function requireRpId(value: unknown, path: string): string | null {
  if (value === '') return null;
  const host = typeof value === 'string' ? domainToASCII(value.toLowerCase()) : '';
  if (!HOST.test(host) || /^[\d.]+$/.test(host))
    throw invalidConfig(path, 'a host name without scheme and port');
  return host;
}

function requireKeyHashes(value: unknown, path: string): readonly string[] {
  const isList = Array.isArray(value) && value.length <= MAX_APPS;
  if (!isList || !value.every((hash) => typeof hash === 'string' && KEY_HASH.test(hash)))
    throw invalidConfig(path, `a list of at most ${MAX_APPS} SHA-256 hashes in base64url`);
  return [...new Set<string>(value)];
}

/** A name of an Android app. */
const PACKAGE = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/;
/** A team of Apple, a dot and a bundle ID. */
const APP_ID = /^[A-Z0-9]{10}(?:\.[A-Za-z0-9-]+)+$/;
const MAX_APP_LENGTH = 200;

function requireApps(value: unknown, path: string, form: RegExp, what: string): readonly string[] {
  const isApp = (app: unknown): app is string =>
    typeof app === 'string' && app.length <= MAX_APP_LENGTH && form.test(app);
  if (!Array.isArray(value) || value.length > MAX_APPS || !value.every(isApp))
    throw invalidConfig(path, `a list of at most ${MAX_APPS} ${what}`);
  return [...new Set<string>(value)];
}

/** The members of the configuration for passkeys, which the official configuration does not have. */
export const PASSKEY_MEMBERS: readonly ConfigMember[] = [
  {
    path: `${HEARTH}.enabled`,
    encode: ({ passkeys }) => passkeys.isEnabled,
    apply: (settings, value, path) => withPasskeys(settings, { isEnabled: requireFlag(value, path) }),
  },
  {
    path: `${HEARTH}.rpId`,
    encode: ({ passkeys }) => passkeys.rpId ?? undefined,
    apply: (settings, value, path) =>
      withPasskeys(settings, { rpId: value === undefined ? null : requireRpId(value, path) }),
  },
  {
    path: `${HEARTH}.userVerification`,
    encode: ({ passkeys }) => passkeys.userVerification,
    apply: (settings, value, path) =>
      withPasskeys(settings, { userVerification: requireOneOf(value, path, USER_VERIFICATIONS) }),
  },
  {
    path: `${HEARTH}.allowAnonymous`,
    encode: ({ passkeys }) => passkeys.areAnonymousAllowed,
    apply: (settings, value, path) =>
      withPasskeys(settings, { areAnonymousAllowed: requireFlag(value, path) }),
  },
  {
    path: `${HEARTH}.androidKeyHashes`,
    encode: ({ passkeys }) => passkeys.androidKeyHashes,
    apply: (settings, value, path) =>
      withPasskeys(settings, { androidKeyHashes: requireKeyHashes(value, path) }),
  },
  {
    path: `${HEARTH}.androidPackages`,
    encode: ({ passkeys }) => passkeys.androidPackages,
    apply: (settings, value, path) =>
      withPasskeys(settings, {
        androidPackages: requireApps(value ?? [], path, PACKAGE, 'names of apps, such as com.example.app'),
      }),
  },
  {
    path: `${HEARTH}.appleAppIds`,
    encode: ({ passkeys }) => passkeys.appleAppIds,
    apply: (settings, value, path) =>
      withPasskeys(settings, {
        appleAppIds: requireApps(value ?? [], path, APP_ID, 'app IDs, such as ABCDE12345.com.example.app'),
      }),
  },
];

function withPasskeys(settings: ProjectSettings, change: Partial<ProjectPasskeys>): ProjectSettings {
  return { ...settings, passkeys: { ...settings.passkeys, ...change } };
}
