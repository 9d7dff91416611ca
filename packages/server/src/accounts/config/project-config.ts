import type { JsonObject } from '../fields.ts';
import { IdentityError } from '../identity-error.ts';
import type { Project } from '../project.ts';
import type { ProjectSettings } from '../project-settings.ts';
import type { ConfigContext } from './config-member.ts';
import { CONFIG_MEMBERS } from './config-members.ts';
import { findAt, isWithin, type JsonPath, leafPaths, withAt } from './json-path.ts';
import { mustBeSendable } from './mail-members.ts';
import { KEPT_MEMBERS, mustBeHarmless, READ_ONLY_MEMBERS } from './other-config.ts';

/** Longest JSON text of what is only kept. */
const MAX_KEPT_LENGTH = 32_768;

/** The configuration of a project as the interface has it, without its name. */
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
 * The settings that a configuration describes. What it does not mention is as in `initial`; what no configuration can
 * mention, as in those before. Refuses members that this server does not know, and values with every problem.
 */
export function decodeConfig(
  config: JsonObject,
  initial: ProjectSettings,
  context: ConfigContext,
): ProjectSettings {
  const otherConfig = readKept(config);
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
    mentionable(initial, context),
  );
  if (problems.length > 0) throw new IdentityError('INVALID_CONFIG', problems.join(' '));
  mustBeSendable(settings);
  return { ...settings, otherConfig };
}

/** What is wrong with one member, to be told with what is wrong with others. */
function problemOf(error: unknown): string {
  if (error instanceof IdentityError && error.code === 'INVALID_CONFIG' && error.detail !== undefined)
    return error.detail;
  throw error;
}

/** The configuration with the members of an update that its mask names; all of the update without a mask. */
export function applyUpdate(config: JsonObject, update: JsonObject, mask: readonly JsonPath[]): JsonObject {
  if (mask.length === 0) return update;
  return mask.reduce((json, path) => {
    const value = findAt(update, path);
    return value === undefined ? json : withAt(json, path, value);
  }, config);
}

/** Which members differ, for whoever reads the audit. */
export function changedMembers(before: ProjectSettings, after: ProjectSettings): readonly string[] {
  const differ = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);
  const members = CONFIG_MEMBERS.filter(
    ({ encode, untold = encode }) =>
      differ(encode(before), encode(after)) || differ(untold(before), untold(after)),
  );
  const kept = KEPT_MEMBERS.filter((path) =>
    differ(findAt(before.otherConfig, path.split('.')), findAt(after.otherConfig, path.split('.'))),
  );
  return [...members.map(({ path }) => path), ...kept];
}

/** Settings whose members are initial where a configuration can mention them. */
function mentionable(initial: ProjectSettings, context: ConfigContext): ProjectSettings {
  return CONFIG_MEMBERS.reduce(
    (settings, { path, encode, apply }) => apply(settings, encode(initial), path, context),
    context.before,
  );
}

function readKept(config: JsonObject): JsonObject {
  const isOneOf = (path: JsonPath, members: readonly string[]): boolean =>
    members.some((member) => isWithin(path, member.split('.')));
  const known = CONFIG_MEMBERS.map(({ path }) => path);
  let kept: JsonObject = {};
  for (const path of leafPaths(config)) {
    const isGroup = [...known, ...KEPT_MEMBERS].some((member) => isWithin(member.split('.'), path));
    if (isOneOf(path, KEPT_MEMBERS)) kept = withAt(kept, path, findAt(config, path));
    else if (!isGroup && !isOneOf(path, known) && !isOneOf(path, READ_ONLY_MEMBERS))
      throw new IdentityError('INVALID_CONFIG', `${path.join('.')} is no setting of this server.`);
  }
  mustBeHarmless(kept);
  if (JSON.stringify(kept).length > MAX_KEPT_LENGTH)
    throw new IdentityError('INVALID_CONFIG', 'There are too many settings.');
  return kept;
}
