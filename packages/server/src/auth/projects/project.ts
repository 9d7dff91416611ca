import { NO_SIGN_UP_RULES, type SignUpRules } from '@hearth/core/api/sign-up-rules.ts';
import { INITIAL_APP_CHECK, type ProjectAppCheck } from '../app-check/app-check-settings.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import { DEFAULT_PASSWORD_POLICIES, type PasswordPolicy } from '../passwords/policy.ts';
import { type AccountScope, projectScope } from '../tenants/scope.ts';
import { INITIAL_THEME, type ProjectTheme } from '../theme/theme.ts';
import { INITIAL_CAPTCHA, type ProjectCaptcha } from './captcha-settings.ts';
import { NO_HOOKS, type ProjectHooks } from './hook-settings.ts';
import { INITIAL_MAIL, type ProjectMail } from './mail-settings.ts';
import { DEVELOPMENT_PASSKEYS, NEW_PASSKEYS, type ProjectPasskeys } from './passkey-settings.ts';
import { DEVELOPMENT_SMS, NEW_SMS, type ProjectSms } from './sms-settings.ts';

/** Settings of a project: how users may sign in to its app, and how the server behaves. */
export interface ProjectSettings {
  /** Whether sign-ins are blocked and existing sessions rejected. */
  readonly isDisabled: boolean;
  readonly signIn: {
    readonly isEmailEnabled: boolean;
    /** Whether users may sign in without a password, by a link in a mail. */
    readonly isEmailLinkEnabled: boolean;
    readonly isAnonymousEnabled: boolean;
    readonly isPhoneEnabled: boolean;
    /** Fictional numbers with the codes that they always get. No message is sent to them. */
    readonly testPhoneNumbers: Readonly<Record<string, string>>;
    readonly areDuplicateEmailsAllowed: boolean;
  };
  /** Whether users may create accounts; `isDeletionEnabled`: whether they may delete their own. */
  readonly isSignUpEnabled: boolean;
  readonly isDeletionEnabled: boolean;
  /** Whether responses hide which addresses have accounts. */
  readonly isEmailPrivate: boolean;
  readonly authorizedDomains: readonly string[];
  /** Whether an authorized domain matches only itself, and not its subdomains. */
  readonly areDomainsExact: boolean;
  readonly passwordPolicy: PasswordPolicy;
  readonly secondFactor: {
    readonly state: 'DISABLED' | 'ENABLED' | 'MANDATORY';
    readonly isTotpEnabled: boolean;
    /** Whether codes by SMS are second factors. */
    readonly isSmsEnabled: boolean;
    /** Number of 30 s steps before and after the current one whose codes are accepted. */
    readonly totpAdjacentIntervals: number;
  };
  readonly session: {
    /** A session ends after being unused for this long, in ms; `null` for never. */
    readonly idleLimitMs: number | null;
    /** A session ends this long after its start in any case, in ms; `null` for never. */
    readonly absoluteLimitMs: number | null;
    /** Whether a client that uses an old refresh token from the same device receives the current one. */
    readonly isReuseLenient: boolean;
  };
  readonly mail: ProjectMail;
  readonly sms: ProjectSms;
  readonly captcha: ProjectCaptcha;
  readonly appCheck: ProjectAppCheck;
  readonly passkeys: ProjectPasskeys;
  readonly theme: ProjectTheme;
  /** Which new accounts the project allows, and claims by domain. */
  readonly signUpRules: SignUpRules;
  /** The functions that decide about sign-ups and sign-ins. */
  readonly hooks: ProjectHooks;
  /** Fields of Firebase's configuration that are only stored; see `config.ts`. */
  readonly otherConfig: JsonObject;
}

const SIGN_IN = {
  isEmailEnabled: true,
  isEmailLinkEnabled: true,
  isAnonymousEnabled: true,
  isPhoneEnabled: true,
  testPhoneNumbers: {},
  areDuplicateEmailsAllowed: false,
};

const SESSION = { idleLimitMs: null, absoluteLimitMs: null, isReuseLenient: true };

/**
 * Settings of projects in development mode: everything that an app may want to test is enabled, as in
 * Firebase's emulators.
 */
export const DEVELOPMENT_SETTINGS: ProjectSettings = {
  isDisabled: false,
  signIn: SIGN_IN,
  isSignUpEnabled: true,
  isDeletionEnabled: true,
  isEmailPrivate: false,
  authorizedDomains: ['localhost', '127.0.0.1', '::1'],
  areDomainsExact: false,
  passwordPolicy: DEFAULT_PASSWORD_POLICIES.dev,
  secondFactor: { state: 'ENABLED', isTotpEnabled: true, isSmsEnabled: true, totpAdjacentIntervals: 5 },
  session: SESSION,
  mail: INITIAL_MAIL,
  sms: DEVELOPMENT_SMS,
  captcha: INITIAL_CAPTCHA,
  appCheck: INITIAL_APP_CHECK,
  passkeys: DEVELOPMENT_PASSKEYS,
  theme: INITIAL_THEME,
  signUpRules: NO_SIGN_UP_RULES,
  hooks: NO_HOOKS,
  otherConfig: {},
};

/**
 * Settings of a new project outside development mode. Anonymous sign-in, sign-in with a link, a phone or a
 * passkey, and second factors are off until an administrator enables them.
 */
export const NEW_SETTINGS: ProjectSettings = {
  ...DEVELOPMENT_SETTINGS,
  signIn: { ...SIGN_IN, isEmailLinkEnabled: false, isAnonymousEnabled: false, isPhoneEnabled: false },
  isEmailPrivate: true,
  authorizedDomains: [],
  passwordPolicy: DEFAULT_PASSWORD_POLICIES.serve,
  secondFactor: {
    state: 'DISABLED',
    isTotpEnabled: false,
    isSmsEnabled: false,
    totpAdjacentIntervals: 1,
  },
  sms: NEW_SMS,
  passkeys: NEW_PASSKEYS,
};

/** Returns settings as they are stored: JSON text, because the record store would drop empty lists and `null`. */
function encodeSettings(settings: ProjectSettings): string {
  return JSON.stringify(settings);
}

/** Reads stored settings. Fields that an older record lacks get the values of a new project. */
function decodeSettings(json: unknown): ProjectSettings {
  const stored: unknown = typeof json === 'string' ? JSON.parse(json) : {};
  return merge(NEW_SETTINGS, stored) as ProjectSettings;
}

function merge(initial: unknown, stored: unknown): unknown {
  if (!isJsonObject(initial) || !isJsonObject(stored)) return stored === undefined ? initial : stored;
  return Object.fromEntries(
    Object.entries({ ...initial, ...stored }).map(([name]) => [name, merge(initial[name], stored[name])]),
  );
}

/** The unit of ownership of accounts, databases, settings and keys. */
export interface Project {
  readonly id: string;
  /** Decimal digits, unique on this server. */
  readonly number: string;
  readonly settings: ProjectSettings;
  /** The accounts on which operations in the project act. */
  readonly scope: AccountScope;
  /** The name of the tenant whose accounts these are; absent if it has none, and for a project as a whole. */
  readonly tenantName?: string;
}

export function encodeProject({ number, settings }: Pick<Project, 'number' | 'settings'>): JsonObject {
  return { number, settings: encodeSettings(settings) };
}

export function decodeProject(id: string, json: JsonObject): Project {
  return {
    id,
    number: typeof json['number'] === 'string' ? json['number'] : projectNumber(id),
    settings: decodeSettings(json['settings']),
    scope: projectScope(id),
  };
}

/**
 * Returns a project number of 12 digits. It depends only on the id, so that every server of a project uses the
 * same number.
 */
export function projectNumber(id: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(id)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return String(100_000_000_000n + (hash % 900_000_000_000n));
}
