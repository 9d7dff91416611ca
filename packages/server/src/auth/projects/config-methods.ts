import { isMarked, siteKeyOf } from '../captcha/site-key.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { encodePublicPasswordPolicy } from '../passwords/policy-json.ts';
import type { AuthRequest, Caller } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { eraseAccounts } from '../tenants/tenant-store.ts';
import { applyUpdate, changedMembers, decodeConfig, encodeConfig, encodeNamedConfig } from './config.ts';
import { readConfigUpdate, readUpdateMask } from './config-update.ts';
import { DEVELOPMENT_SETTINGS, NEW_SETTINGS, type Project, type ProjectSettings } from './project.ts';

/** `GET /v2/projects/{project}/config`: returns the configuration of a project. */
export async function readConfig({ project }: AuthRequest): Promise<JsonObject> {
  return encodeNamedConfig(project);
}

/**
 * `PATCH /v2/projects/{project}/config`: sets the fields that `updateMask` names and the body contains. Without a mask,
 * sets the whole configuration: fields that the body does not contain get their initial values.
 */
export async function updateConfig(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const update = readConfigUpdate(call.fields);
  const mask = readUpdateMask(call.fields);
  const initial = services.isDevelopment ? DEVELOPMENT_SETTINGS : NEW_SETTINGS;
  services.throttle.requireAllowedInProject(call.project.id, 'configChanges');
  let changed: readonly string[] = [];
  const change = (before: ProjectSettings): ProjectSettings => {
    const config = applyUpdate(encodeConfig(before), update, mask);
    const after = decodeConfig(config, initial, {
      before,
      secretBox: services.secretBox,
      isDevelopment: services.isDevelopment,
      nowMs: services.clock.nowMs(),
    });
    changed = changedMembers(before, after);
    requireOwnerSetting(call.caller, changed);
    return after;
  };
  const project = await services.projects.change(call.project.id, change);
  recordAudit(services, call, 'config_changed', null, { detail: changed.join(', ') });
  return encodeNamedConfig(project);
}

/**
 * Settings that only owners of the project may change: the mail server, the pages to which links lead, the sign-in with a
 * password or a passkey, the rules for new accounts, and the look of the pages for it. With most of these settings, another
 * administrator could become a member or lock members out, because members sign in like other users.
 */
const OF_OWNERS: readonly string[] = [
  'blockingFunctions',
  'authorizedDomains',
  'notification',
  'signIn.email',
  'signIn.hearth.passkeys',
  'hearth.theme',
  'hearth.signUp',
];

/**
 * Settings that owners and service accounts may change, because firebase-admin offers them to the backend of an app.
 * With these settings, a caller could lock members out or make the project pay for text messages, but could not become
 * a member.
 */
const OF_OWNERS_AND_BACKENDS: readonly string[] = [
  'mfa',
  'passwordPolicyConfig',
  'signIn.phoneNumber',
  'smsRegionConfig',
];

function requireOwnerSetting(caller: Caller, changed: readonly string[]): void {
  if (caller.kind === 'admin' && caller.ownsProject) return;
  const isBackend = caller.kind === 'admin' && caller.serviceAccountKey !== undefined;
  const groups = isBackend ? OF_OWNERS : [...OF_OWNERS, ...OF_OWNERS_AND_BACKENDS];
  const denied = changed.filter((path) => groups.some((group) => `${path}.`.startsWith(`${group}.`)));
  if (denied.length > 0)
    throw new AuthApiError(
      'PERMISSION_DENIED',
      `Only owners of the project can change ${denied.join(' and ')}.`,
    );
}

/** `identityPlatform:initializeAuth`: does nothing, because a project needs no preparation. */
export async function initializeAuth(): Promise<JsonObject> {
  return {};
}

/**
 * A placeholder for the reCAPTCHA key. With it, clients do not show a challenge; without any key they log an
 * error.
 */
const NO_SITE_KEY = 'none';

/**
 * `GET /v1/projects`: returns the domains whose pages may sign users in. In development mode, these include the host
 * name of the request.
 */
export async function readProjectConfig(
  { project, origin }: AuthRequest,
  { isDevelopment }: AuthServices,
): Promise<JsonObject> {
  // Clients apply a domain to all its subdomains, and fail on an asterisk.
  const domains = project.settings.authorizedDomains.map((domain) => domain.replace(/^\*\./, ''));
  const own = isDevelopment ? [URL.parse(origin)?.hostname ?? 'localhost'] : [];
  return { projectId: project.number, authorizedDomains: [...new Set([...domains, ...own])] };
}

/** `GET /v1/recaptchaParams`: returns the site key for the verifier of the SDK. */
export async function readRecaptchaParams(call: AuthRequest): Promise<JsonObject> {
  const { recaptcha } = call.project.settings.captcha;
  const key = recaptcha === undefined ? siteKeyOf(call) : (recaptcha.verifier?.siteKey ?? NO_SITE_KEY);
  return {
    kind: 'identitytoolkit#GetRecaptchaParamResponse',
    recaptchaSiteKey: key,
    recaptchaStoken: key,
    producerProjectNumber: call.project.number,
  };
}

/**
 * `GET /v2/recaptchaConfig`: returns for which methods the SDK must solve challenges. A page without the script that
 * solves them gets an empty list, because the SDK would load a script of Google. If the project uses reCAPTCHA, every
 * page gets the list and loads that script.
 */
export async function readRecaptchaConfig(call: AuthRequest): Promise<JsonObject> {
  const { project, fields } = call;
  const { emailPassword, phone, recaptcha } = project.settings.captcha;
  const states = { EMAIL_PASSWORD_PROVIDER: emailPassword, PHONE_PROVIDER: phone };
  const isShown = recaptcha !== undefined || isMarked(fields);
  const ownKey = isShown ? siteKeyOf(call) : NO_SITE_KEY;
  return {
    recaptchaKey: `projects/${project.id}/keys/${recaptcha?.score.siteKey ?? ownKey}`,
    recaptchaEnforcementState: Object.entries(states).map(([provider, state]) => ({
      provider,
      enforcementState: isShown ? state : 'OFF',
    })),
  };
}

/** `GET /v2/passwordPolicy`: returns the rules for passwords, so that clients can check passwords themselves. */
export async function readPasswordPolicy({ project }: AuthRequest): Promise<JsonObject> {
  return encodePublicPasswordPolicy(project.settings.passwordPolicy);
}

/** `DELETE /emulator/v1/projects/{project}/accounts`: deletes all accounts of a project in development mode. */
export async function dropAccounts(
  { project }: AuthRequest,
  { recordStore }: AuthServices,
): Promise<JsonObject> {
  await recordStore.change((transaction) => {
    eraseAccounts(transaction, project.scope);
  });
  return {};
}

/** `GET /emulator/v1/projects/{project}/config`: returns the two settings that tests of apps change. */
export async function readEmulatorConfig({ project }: AuthRequest): Promise<JsonObject> {
  return emulatorConfig(project);
}

/** `PATCH /emulator/v1/projects/{project}/config`: changes the settings that the body contains. */
export async function updateEmulatorConfig(
  { project, fields }: AuthRequest,
  { projects }: AuthServices,
): Promise<JsonObject> {
  const areDuplicateEmailsAllowed = fields.object('signIn')?.flag('allowDuplicateEmails');
  const isEmailPrivate = fields.object('emailPrivacyConfig')?.flag('enableImprovedEmailPrivacy');
  const changed = await projects.change(project.id, (settings) => ({
    ...settings,
    isEmailPrivate: isEmailPrivate ?? settings.isEmailPrivate,
    signIn: {
      ...settings.signIn,
      areDuplicateEmailsAllowed: areDuplicateEmailsAllowed ?? settings.signIn.areDuplicateEmailsAllowed,
    },
  }));
  return emulatorConfig(changed);
}

function emulatorConfig({ settings }: Project): JsonObject {
  return {
    signIn: { allowDuplicateEmails: settings.signIn.areDuplicateEmailsAllowed },
    emailPrivacyConfig: { enableImprovedEmailPrivacy: settings.isEmailPrivate },
  };
}
