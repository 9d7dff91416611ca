import { RequestError } from '@hearth/core/error/request-error.ts';
import type { OperationName } from '../../access/authorization-request.ts';
import { readData } from './handlers.ts';
import {
  type DataLocation,
  type DataRoute,
  parseDataLocation,
  type RestMethod,
  type SettingsRoute,
} from './request.ts';
import type { SettingsTable } from './settings.ts';
import { pushData, removeData, setData, updateData } from './writes.ts';

type DataMethod = RestMethod<DataRoute> & { readonly operation: OperationName };

const DATA_METHODS: ReadonlyMap<string, DataMethod> = new Map([
  ['GET', { operation: 'GET', run: readData, scope: 'read' }],
  ['HEAD', { operation: 'GET', run: readData, scope: 'read' }],
  ['PUT', { operation: 'PUT', run: setData, scope: 'write' }],
  ['PATCH', { operation: 'PATCH', run: updateData, scope: 'write' }],
  ['POST', { operation: 'POST', run: pushData, scope: 'write' }],
  ['DELETE', { operation: 'DELETE', run: removeData, scope: 'write' }],
]);

/** URL paths of the service that are not data. */
const RESERVED = /^\/\.(?:settings|inspect)\//;

export type RestRoute =
  | ({ readonly kind: 'data'; readonly location: DataLocation } & DataMethod)
  | ({ readonly kind: 'settings' } & RestMethod<SettingsRoute>);

/**
 * Returns the route of `method` for a URL path that ends in `.json`. Throws `http/not-found` or `http/method`
 * if there is none.
 */
export function findRestRoute(method: string, pathname: string, settings: SettingsTable): RestRoute {
  if (RESERVED.test(pathname)) return findSetting(method, pathname, settings);
  const found = DATA_METHODS.get(method);
  if (found === undefined)
    throw new RequestError('http/method', `Data does not support the method ${method}.`);
  return { kind: 'data', ...found, location: parseDataLocation(pathname) };
}

function findSetting(method: string, pathname: string, settings: SettingsTable): RestRoute {
  const methods = settings.get(pathname);
  if (methods === undefined) throw new RequestError('http/not-found');
  const found = methods.get(method);
  if (found === undefined)
    throw new RequestError(
      'http/method',
      `${pathname} supports ${[...methods.keys()].join(', ')}, not ${method}.`,
    );
  return { kind: 'settings', ...found };
}

const OVERRIDES: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'POST', 'DELETE', 'GET']);

/**
 * Returns the effective method. A `POST` can name another method in a header or a parameter. Throws
 * `request/malformed` if that method is not allowed.
 */
export function effectiveMethod(method: string, override: string | undefined): string {
  if (method !== 'POST' || override === undefined) return method;
  const overridden = override.toUpperCase();
  if (!OVERRIDES.has(overridden))
    throw new RequestError(
      'request/malformed',
      `A POST can be overridden with ${[...OVERRIDES].join(', ')}, not with ${JSON.stringify(override)}.`,
    );
  return overridden;
}
