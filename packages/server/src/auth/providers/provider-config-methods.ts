import { isDeepStrictEqual } from 'node:util';
import { INSTALLATION, type RecordView } from '../../records/store.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { findAt, type JsonPath, leafPaths, withAt } from '../projects/config-fields.ts';
import { readConfigUpdate, readUpdateMask } from '../projects/config-update.ts';
import type { AuthRequest } from '../request.ts';
import { certificatesJson } from '../saml/rotate-key.ts';
import { findServiceKey, openServiceKey } from '../saml/service-key.ts';
import { type AuthHandler, type AuthServices, recordAudit } from '../services.ts';
import { requireNotDeleted } from '../tenants/deleted-tenants.ts';
import { type AccountScope, resourceOfScope } from '../tenants/scope.ts';
import { findPreset, PRESETS } from './presets.ts';
import type { ProviderConfig, SamlConfig } from './provider-config.ts';
import {
  type ProviderConfigContext,
  parseOidcConfig,
  parsePresetConfig,
  parseSamlConfig,
  providerConfigJson,
} from './provider-config-json.ts';
import {
  countProviderConfigs,
  findProviderConfig,
  listProviderConfigs,
  removeProviderConfig,
  saveProviderConfig,
} from './provider-config-store.ts';

/** Maximum number of configurations of a project. */
const MAX_CONFIGS = 200;
const MAX_PAGE = 100;
const DEFAULT_PAGE = 20;

/** A kind of configurations in the API. */
export interface ProviderCollection {
  /** The segment of the path. */
  readonly name: string;
  /** The query parameter that names a new configuration. */
  readonly idParameter: string;
  readonly kind: ProviderConfig['kind'];
  readonly isId: (id: string) => boolean;
  readonly parse: (json: JsonObject, context: ProviderConfigContext) => ProviderConfig;
}

const ID = /^[\w.-]{1,128}$/;

/** The three kinds of configurations, as `firebase-admin` and the console of the official service manage them. */
export const PROVIDER_COLLECTIONS: readonly ProviderCollection[] = [
  {
    name: 'defaultSupportedIdpConfigs',
    idParameter: 'idpId',
    kind: 'preset',
    isId: (id) => findPreset(id) !== undefined,
    parse: parsePresetConfig,
  },
  {
    name: 'oauthIdpConfigs',
    idParameter: 'oauthIdpConfigId',
    kind: 'oidc',
    isId: (id) => /^oidc\../.test(id) && ID.test(id),
    parse: parseOidcConfig,
  },
  {
    name: 'inboundSamlConfigs',
    idParameter: 'inboundSamlConfigId',
    kind: 'saml',
    isId: (id) => /^saml\../.test(id) && ID.test(id),
    parse: parseSamlConfig,
  },
];

/** `GET /v2/defaultSupportedIdps`: returns the providers of which Hearth knows the addresses. */
export async function listPresets(): Promise<JsonObject> {
  return {
    defaultSupportedIdps: Object.values(PRESETS).map(({ id, name }) => ({ idpId: id, description: name })),
  };
}

/** Creates a configuration. Throws `CONFIGURATION_EXISTS` if the project has one with the id. */
export function createProviderConfig(collection: ProviderCollection): AuthHandler {
  return async (call, services) => {
    const id = call.fields.require(collection.idParameter, 'MISSING_CONFIG_ID');
    if (!collection.isId(id)) throw new AuthApiError('INVALID_CONFIG_ID');
    const json = withoutName(readConfigUpdate(call.fields));
    services.throttle.requireAllowedInProject(call.project.id, 'configChanges');
    if (collection.kind === 'saml') await openServiceKey(services, call.project.scope);
    const config = await services.recordStore.change((transaction) => {
      const records = transaction.records(INSTALLATION);
      const scope = call.project.scope;
      requireNotDeleted(transaction, scope);
      if (findProviderConfig(records, scope, id) !== undefined)
        throw new AuthApiError('CONFIGURATION_EXISTS');
      if (countProviderConfigs(records, scope, MAX_CONFIGS) >= MAX_CONFIGS)
        throw new AuthApiError('INVALID_CONFIG', `A project has at most ${MAX_CONFIGS} providers.`);
      const made = collection.parse(json, contextOf(call, services, id, undefined));
      saveProviderConfig(records, scope, made);
      return made;
    });
    auditChange(services, call, id, 'created');
    return namedJson(call, services, collection, config);
  };
}

export function readProviderConfig(collection: ProviderCollection): AuthHandler {
  return async (call, services) => {
    const { recordStore } = services;
    const config = recordStore.read((view) => requireConfig(view.records(INSTALLATION), call, collection));
    return namedJson(call, services, collection, config);
  };
}

/** Lists configurations in pages. The page token is the last id of the previous page. */
export function listProviders(collection: ProviderCollection): AuthHandler {
  return async (call, services) => {
    const { fields } = call;
    const pageSize = fields.whole('pageSize') ?? DEFAULT_PAGE;
    const after = fields.filled('pageToken');
    if (pageSize < 1 || pageSize > MAX_PAGE)
      throw new AuthApiError('INVALID_ARGUMENT', `"pageSize" must be from 1 to ${MAX_PAGE}.`);
    if (after !== undefined && !collection.isId(after)) throw new AuthApiError('INVALID_PAGE_SELECTION');
    const found = services.recordStore.read((view) =>
      listProviderConfigs(view.records(INSTALLATION), call.project.scope, {
        kind: collection.kind,
        after,
        limit: pageSize + 1,
      }),
    );
    const page = found.slice(0, pageSize);
    const next = found.length > pageSize ? page.at(-1)?.providerId : undefined;
    return {
      [collection.name]: page.map((config) => namedJson(call, services, collection, config)),
      ...(next === undefined ? {} : { nextPageToken: next }),
    };
  };
}

/** Changes the members that `updateMask` names; without a mask, replaces the configuration. */
export function updateProviderConfig(collection: ProviderCollection): AuthHandler {
  return async (call, services) => {
    const update = withoutName(readConfigUpdate(call.fields));
    const mask = readUpdateMask(call.fields);
    services.throttle.requireAllowedInProject(call.project.id, 'configChanges');
    if (collection.kind === 'saml') await openServiceKey(services, call.project.scope);
    const { before, after } = await services.recordStore.change((transaction) => {
      const records = transaction.records(INSTALLATION);
      const known = requireConfig(records, call, collection);
      const json = applyMask(JSON.parse(JSON.stringify(providerConfigJson(known))), update, mask);
      const changed = collection.parse(json, contextOf(call, services, known.providerId, known));
      saveProviderConfig(records, call.project.scope, changed);
      return { before: known, after: changed };
    });
    auditChange(services, call, after.providerId, `changed ${changedMembers(before, after).join(', ')}`);
    return namedJson(call, services, collection, after);
  };
}

export function deleteProviderConfig(collection: ProviderCollection): AuthHandler {
  return async (call, services) => {
    const id = await services.recordStore.change((transaction) => {
      const records = transaction.records(INSTALLATION);
      const { providerId } = requireConfig(records, call, collection);
      removeProviderConfig(records, call.project.scope, providerId);
      return providerId;
    });
    auditChange(services, call, id, 'removed');
    return {};
  };
}

function requireConfig(
  records: RecordView,
  call: AuthRequest,
  { kind, isId }: ProviderCollection,
): ProviderConfig {
  const id = call.segments['provider'] ?? '';
  if (!isId(id)) throw new AuthApiError('INVALID_CONFIG_ID');
  const config = findProviderConfig(records, call.project.scope, id);
  if (config?.kind !== kind) throw new AuthApiError('CONFIGURATION_NOT_FOUND');
  return config;
}

function contextOf(
  call: AuthRequest,
  { secretBox }: AuthServices,
  providerId: string,
  before: ProviderConfig | undefined,
): ProviderConfigContext {
  return { scope: call.project.scope, providerId, before, secretBox };
}

function namedJson(
  { project }: AuthRequest,
  services: AuthServices,
  { name }: ProviderCollection,
  config: ProviderConfig,
): JsonObject {
  const json = providerConfigJson(config);
  return {
    name: `${resourceOfScope(project.scope)}/${name}/${config.providerId}`,
    ...json,
    ...(config.kind === 'saml' ? { spConfig: serviceJson(services, project.scope, config) } : {}),
  };
}

/** Returns how a SAML provider knows this server: with the certificates of the keys that sign its requests. */
function serviceJson(
  { recordStore }: AuthServices,
  scope: AccountScope,
  { spEntityId, callbackUri }: SamlConfig,
): JsonObject {
  const key = recordStore.read((view) => findServiceKey(view.records(INSTALLATION), scope));
  return { spEntityId, callbackUri: callbackUri ?? undefined, spCertificates: certificatesJson(key) };
}

/** Returns the body without its name, which repeats the address of the request. */
function withoutName({ name: _name, ...json }: JsonObject): JsonObject {
  return json;
}

/** Members whose parts exclude each other: giving one part replaces the others. */
const WHOLE_MEMBERS: ReadonlySet<string> = new Set(['responseType']);

function applyMask(json: JsonObject, update: JsonObject, mask: readonly JsonPath[]): JsonObject {
  if (mask.length === 0) return update;
  return mask.reduce((changed, path) => {
    const [first = ''] = path;
    const place = WHOLE_MEMBERS.has(first) ? [first] : path;
    return withAt(changed, place, findAt(update, place));
  }, json);
}

/** Returns the paths of the members that differ, for the audit log. */
function changedMembers(before: ProviderConfig, after: ProviderConfig): readonly string[] {
  const [old, current] = [providerConfigJson(before), providerConfigJson(after)];
  const paths = new Set([...leafPaths(old), ...leafPaths(current)].map((path) => path.join('.')));
  const changed = [...paths].filter(
    (path) => !isDeepStrictEqual(findAt(old, path.split('.')), findAt(current, path.split('.'))),
  );
  return isDeepStrictEqual(secretsOf(before), secretsOf(after)) ? changed : [...changed, 'secrets'];
}

function secretsOf(config: ProviderConfig): readonly (string | null | undefined)[] {
  switch (config.kind) {
    case 'preset':
      return [config.sealedClientSecret, config.appleKey?.sealedPrivateKey];
    case 'oidc':
      return [config.sealedClientSecret];
    case 'saml':
      return [];
    default:
      return config satisfies never;
  }
}

function auditChange(services: AuthServices, call: AuthRequest, id: string, change: string): void {
  recordAudit(services, call, 'provider_config_changed', null, { detail: `${id}: ${change}` });
}
