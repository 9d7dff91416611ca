import { AuthApiError } from '../errors.ts';
import { type Fields, isJsonObject, type JsonObject } from '../fields.ts';
import type { JsonPath } from './config-fields.ts';

/** Query parameters that are not part of the configuration. */
const NOT_CONFIG: ReadonlySet<string> = new Set([
  'updateMask',
  'key',
  'alt',
  'prettyPrint',
  'fields',
  'targetProjectId',
  'idpId',
  'oauthIdpConfigId',
  'inboundSamlConfigId',
]);

/** Returns the members of a configuration that a request contains, with names in camel case. */
export function readConfigUpdate(fields: Fields): JsonObject {
  const names = fields.names().map(camelCase);
  return Object.fromEntries(
    names.filter((name) => !NOT_CONFIG.has(name)).map((name) => [name, camelKeys(fields.find(name))]),
  );
}

/** Returns the paths of `updateMask`; none if it is absent. Throws `INVALID_ARGUMENT`. */
export function readUpdateMask(fields: Fields): readonly JsonPath[] {
  const texts = fields.texts('updateMask') ?? [];
  const paths = texts
    .flatMap((text) => text.split(','))
    .map((path) => path.trim())
    .filter((path) => path !== '');
  for (const path of paths)
    if (!/^\w+(?:\.\w+)*$/.test(path))
      throw new AuthApiError(
        'INVALID_ARGUMENT',
        `"updateMask" contains "${path}": use names of members, separated by dots.`,
      );
  return paths.map((path) => path.split('.').map(camelCase));
}

/**
 * Converts names from snake case, and omits members that are `null`. Numbers of test phones start with a plus sign and
 * stay unchanged.
 */
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
