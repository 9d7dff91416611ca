import { AuthApiError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import { CAPTCHA_KEYS, requireKnownRules, STORED_CAPTCHA_MEMBERS } from './config-captcha.ts';
import { type ConfigContext, findAt, isWithin, type JsonPath, leafPaths, withAt } from './config-fields.ts';
import { requireSendable } from './config-mail.ts';
import { CONFIG_MEMBERS } from './config-members.ts';
import { SMS_REGION_MEMBERS, SMS_REGIONS } from './config-sms.ts';
import type { Project, ProjectSettings } from './project.ts';

/** Members of the configuration that are stored and returned but have no effect in this server. */
const STORED_MEMBERS: readonly string[] = [
  'autodeleteAnonymousUsers',
  'blockingFunctions.forwardInboundCredentials',
  'defaultHostingSite',
  'mobileLinksConfig',
  'monitoring',
  'multiTenant',
  'notification.sendSms.smsTemplate',
  'notification.sendSms.useDeviceLocale',
  'quota',
  'subtype',
  ...STORED_CAPTCHA_MEMBERS,
];

/** Read-only members. A client may send them back, and their values are ignored. */
const READ_ONLY_MEMBERS: readonly string[] = [
  'name',
  'client.apiKey',
  'client.firebaseSubdomain',
  'notification.sendEmail.dnsInfo',
  'passwordPolicyConfig.lastUpdateTime',
  CAPTCHA_KEYS,
  'signIn.hashConfig',
];

/**
 * Throws for settings that this server does not implement, if an administrator would rely on their effect.
 */
function requireHarmless(config: JsonObject): void {
  requireKnownRules(config);
  if (config['autodeleteAnonymousUsers'] === true)
    throw new AuthApiError('INVALID_CONFIG', 'This server does not delete anonymous accounts automatically.');
}

/** Longest JSON text of the members that are only stored. */
const MAX_STORED_LENGTH = 32_768;

/** Returns the configuration of a project as in the API, without its name. */
export function encodeConfig(settings: ProjectSettings): JsonObject {
  return CONFIG_MEMBERS.reduce((json, { path, encode }) => {
    const value = encode(settings);
    return value === undefined ? json : withAt(json, path.split('.'), value);
  }, settings.otherConfig);
}

export function encodeNamedConfig({ number, settings }: Project): JsonObject {
  return { name: `projects/${number}/config`, ...encodeConfig(settings) };
}

/**
 * Returns the settings that a configuration describes. Members that the configuration does not contain are as
 * in `initial`. Settings that a configuration cannot contain are as in `context.before`. Throws for members that this
 * server does not know, and for invalid values with all their problems.
 */
export function decodeConfig(
  config: JsonObject,
  initial: ProjectSettings,
  context: ConfigContext,
): ProjectSettings {
  const otherConfig = readStored(config);
  const problems: string[] = [];
  const settings = CONFIG_MEMBERS.reduce(
    (changed, { path, apply }) => {
      const value = findAt(config, path.split('.'));
      if (value === undefined) return changed;
      try {
        return apply(changed, value, path, context);
      } catch (error) {
        problems.push(problemOf(error));
        return changed;
      }
    },
    withInitialMembers(initial, context),
  );
  if (problems.length > 0) throw new AuthApiError('INVALID_CONFIG', problems.join(' '));
  requireSendable(settings);
  return { ...settings, otherConfig };
}

/** Returns the detail of an `INVALID_CONFIG`, to be reported together with other problems. Throws any other error. */
function problemOf(error: unknown): string {
  if (error instanceof AuthApiError && error.code === 'INVALID_CONFIG' && error.detail !== undefined)
    return error.detail;
  throw error;
}

/**
 * Returns the configuration with the members of an update that the mask names, or the whole update if the mask
 * is empty.
 */
export function applyUpdate(config: JsonObject, update: JsonObject, mask: readonly JsonPath[]): JsonObject {
  if (mask.length === 0) return update;
  const changed = mask.reduce((json, path) => {
    const value = findAt(update, path);
    return value === undefined ? json : withAt(json, path, value);
  }, config);
  // The members of `smsRegionConfig` exclude each other: setting one removes the other.
  const regions = update[SMS_REGIONS];
  const isGiven = isJsonObject(regions) && mask.some(([name]) => name === SMS_REGIONS);
  const kept = isGiven ? SMS_REGION_MEMBERS.filter((member) => regions[member] !== undefined) : [];
  if (kept.length !== 1) return changed;
  return SMS_REGION_MEMBERS.reduce(
    (json, member) => (kept.includes(member) ? json : withAt(json, [SMS_REGIONS, member], undefined)),
    changed,
  );
}

/** Returns the paths of the members that differ, for the audit log. */
export function changedMembers(before: ProjectSettings, after: ProjectSettings): readonly string[] {
  const differ = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);
  const members = CONFIG_MEMBERS.filter(
    ({ encode, unencoded = encode }) =>
      differ(encode(before), encode(after)) || differ(unencoded(before), unencoded(after)),
  );
  const kept = STORED_MEMBERS.filter((path) =>
    differ(findAt(before.otherConfig, path.split('.')), findAt(after.otherConfig, path.split('.'))),
  );
  return [...members.map(({ path }) => path), ...kept];
}

/**
 * Returns the settings before the change with the initial value of every member that a configuration can
 * contain.
 */
function withInitialMembers(initial: ProjectSettings, context: ConfigContext): ProjectSettings {
  return CONFIG_MEMBERS.reduce(
    (settings, { path, encode, apply }) => apply(settings, encode(initial), path, context),
    context.before,
  );
}

function readStored(config: JsonObject): JsonObject {
  const isOneOf = (path: JsonPath, members: readonly string[]): boolean =>
    members.some((member) => isWithin(path, member.split('.')));
  const known = CONFIG_MEMBERS.map(({ path }) => path);
  let kept: JsonObject = {};
  for (const path of leafPaths(config)) {
    const isGroup = [...known, ...STORED_MEMBERS].some((member) => isWithin(member.split('.'), path));
    if (isOneOf(path, STORED_MEMBERS)) kept = withAt(kept, path, findAt(config, path));
    else if (!isGroup && !isOneOf(path, known) && !isOneOf(path, READ_ONLY_MEMBERS))
      throw new AuthApiError('INVALID_CONFIG', `${path.join('.')} is not a setting of this server.`);
  }
  requireHarmless(kept);
  if (JSON.stringify(kept).length > MAX_STORED_LENGTH)
    throw new AuthApiError(
      'INVALID_CONFIG',
      `Settings without an effect must have at most ${MAX_STORED_LENGTH} characters of JSON in all.`,
    );
  return kept;
}
