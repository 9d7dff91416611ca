import { DEFAULT_PASSWORD_POLICIES, type PasswordPolicy } from '../passwords/password-policy.ts';
import type { JsonObject } from './fields.ts';
import { INITIAL_MAIL, type ProjectMail } from './project-mail.ts';

/** How people may sign in to a project's app, and what the server does for that. */
export interface ProjectSettings {
  /** May nobody sign in, or go on being signed in? */
  readonly isDisabled: boolean;
  readonly signIn: {
    readonly isEmailEnabled: boolean;
    /** May people sign in by a link in a mail, without a password? */
    readonly isEmailLinkEnabled: boolean;
    readonly isAnonymousEnabled: boolean;
    readonly areDuplicateEmailsAllowed: boolean;
  };
  /** May people make accounts, and delete their own? */
  readonly isSignUpEnabled: boolean;
  readonly isDeletionEnabled: boolean;
  /** Do answers leave open whether an address has an account? */
  readonly isEmailPrivate: boolean;
  readonly authorizedDomains: readonly string[];
  /** Must a domain be named exactly, or do those below an entry count too? */
  readonly areDomainsExact: boolean;
  readonly passwordPolicy: PasswordPolicy;
  readonly secondFactor: {
    readonly state: 'DISABLED' | 'ENABLED' | 'MANDATORY';
    readonly isTotpEnabled: boolean;
    /** Steps of 30 s before and after the present one whose codes count. */
    readonly totpAdjacentIntervals: number;
  };
  readonly session: {
    /** After how long without use a session ends, in ms; `null` for never. */
    readonly idleLimitMs: number | null;
    /** After how long it ends in any case, in ms; `null` for never. */
    readonly absoluteLimitMs: number | null;
    /** Is whoever uses an old refresh token from the same client given the present one? */
    readonly isReuseLenient: boolean;
  };
  readonly mail: ProjectMail;
  /** Members of the official configuration that are only kept; see `config/other-config.ts`. */
  readonly otherConfig: JsonObject;
}

const SIGN_IN = {
  isEmailEnabled: true,
  isEmailLinkEnabled: true,
  isAnonymousEnabled: true,
  areDuplicateEmailsAllowed: false,
};

const SESSION = { idleLimitMs: null, absoluteLimitMs: null, isReuseLenient: true };

/** Of a project of development mode: everything that an app may want to try is possible, as in the emulators. */
export const DEVELOPMENT_SETTINGS: ProjectSettings = {
  isDisabled: false,
  signIn: SIGN_IN,
  isSignUpEnabled: true,
  isDeletionEnabled: true,
  isEmailPrivate: false,
  authorizedDomains: ['localhost', '127.0.0.1', '::1'],
  areDomainsExact: false,
  passwordPolicy: DEFAULT_PASSWORD_POLICIES.dev,
  secondFactor: { state: 'ENABLED', isTotpEnabled: true, totpAdjacentIntervals: 5 },
  session: SESSION,
  mail: INITIAL_MAIL,
  otherConfig: {},
};

/** Of a new project elsewhere: nothing is open that its owner did not open. */
export const NEW_SETTINGS: ProjectSettings = {
  ...DEVELOPMENT_SETTINGS,
  signIn: { ...SIGN_IN, isEmailLinkEnabled: false, isAnonymousEnabled: false },
  isEmailPrivate: true,
  authorizedDomains: [],
  passwordPolicy: DEFAULT_PASSWORD_POLICIES.serve,
  secondFactor: { state: 'DISABLED', isTotpEnabled: false, totpAdjacentIntervals: 1 },
};
