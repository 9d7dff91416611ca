import type { JsonPath } from '../config/json-path.ts';
import {
  applyUpdate,
  changedMembers,
  decodeConfig,
  encodeConfig,
  encodeNamedConfig,
} from '../config/project-config.ts';
import { type Fields, isJsonObject, type JsonObject } from '../fields.ts';
import type { Caller, IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { DEVELOPMENT_SETTINGS, NEW_SETTINGS, type ProjectSettings } from '../project-settings.ts';
import { tellAudit } from '../tell-audit.ts';

/** `GET /v2/projects/{project}/config`. */
export async function readConfig({ project }: IdentityCall): Promise<JsonObject> {
  return encodeNamedConfig(project);
}

/**
 * `PATCH /v2/projects/{project}/config`: the members that `updateMask` names, as far as they are given; without a mask, all
 * of the configuration, with what is not given as in a new project.
 */
export async function updateConfig(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const update = readUpdate(call.fields);
  const mask = readMask(call.fields);
  const initial = services.isDevelopment ? DEVELOPMENT_SETTINGS : NEW_SETTINGS;
  services.throttle.mustAllowInProject(call.project.id, 'configChanges');
  let changed: readonly string[] = [];
  const change = (before: ProjectSettings): ProjectSettings => {
    const config = applyUpdate(encodeConfig(before), update, mask);
    const after = decodeConfig(config, initial, { before, secretBox: services.secretBox });
    changed = changedMembers(before, after);
    mustBeForOwners(call.caller, changed);
    return after;
  };
  const project = await services.projects.change(call.project.id, change);
  tellAudit(services, call, 'config_changed', null, { detail: changed.join(', ') });
  return encodeNamedConfig(project);
}

/**
 * What others might become a member by, or keep members out: how mails are sent and where their links lead, and how whoever has
 * a password signs in. Ways to sign in make no exception for members, which each of them would have to know of.
 */
const OF_OWNERS = [
  'authorizedDomains',
  'mfa',
  'notification',
  'passwordPolicyConfig',
  'signIn.email',
] as const;

function mustBeForOwners(caller: Caller, changed: readonly string[]): void {
  if (caller.kind === 'admin' && caller.ownsProject) return;
  const refused = changed.filter((path) => OF_OWNERS.some((group) => `${path}.`.startsWith(`${group}.`)));
  if (refused.length > 0)
    throw new IdentityError(
      'PERMISSION_DENIED',
      `Only owners of the project change ${refused.join(' and ')}.`,
    );
}

/** `identityPlatform:initializeAuth`: there is nothing that a project would have to be prepared for. */
export async function initializeAuth(): Promise<JsonObject> {
  return {};
}

/** Names in the query that are no part of the configuration. */
const NOT_CONFIG: ReadonlySet<string> = new Set([
  'updateMask',
  'key',
  'alt',
  'prettyPrint',
  'fields',
  'targetProjectId',
]);

function readUpdate(fields: Fields): JsonObject {
  const names = fields.names().map(camelCase);
  return Object.fromEntries(
    names.filter((name) => !NOT_CONFIG.has(name)).map((name) => [name, camelKeys(fields.find(name))]),
  );
}

function readMask(fields: Fields): readonly JsonPath[] {
  const texts = fields.texts('updateMask') ?? [];
  const paths = texts
    .flatMap((text) => text.split(','))
    .map((path) => path.trim())
    .filter((path) => path !== '');
  for (const path of paths)
    if (!/^\w+(?:\.\w+)*$/.test(path))
      throw new IdentityError('INVALID_ARGUMENT', `"updateMask" holds "${path}", which names no member.`);
  return paths.map((path) => path.split('.').map(camelCase));
}

/** Names may come in snake case. Numbers of test phones begin with a plus sign and remain. */
function camelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [camelCase(name), camelKeys(member)]),
  );
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
