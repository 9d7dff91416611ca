import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseHostName } from '../../http/guards.ts';

const NAMESPACE = /^[a-z0-9-]{1,63}$/;
const IPV4 = /^[0-9]+(?:\.[0-9]+){3}$/;

/**
 * Returns the database of a request in lower case: the query parameter `ns`, or else the first label of a
 * host name with three or more labels. Returns `undefined` if the request names none. Throws
 * `namespace/invalid` for a name that no database can have.
 */
export function findNamespace(host: string | undefined, query: URLSearchParams): string | undefined {
  const name = query.get('ns') || findHostLabel(host);
  if (name === undefined) return undefined;
  return parseNamespace(name);
}

/** Returns a database name in lower case. Throws `namespace/invalid` for a name that no database can have. */
export function parseNamespace(name: string): string {
  const namespace = name.toLowerCase();
  if (!NAMESPACE.test(namespace)) throw new RequestError('namespace/invalid');
  return namespace;
}

function findHostLabel(host: string | undefined): string | undefined {
  const name = parseHostName(host ?? '');
  if (name === undefined || name.startsWith('[') || IPV4.test(name)) return undefined;
  const labels = name.split('.');
  return labels.length >= 3 ? labels[0] : undefined;
}

/**
 * Returns the database of a request like `findNamespace`, or `fallback` if the request names none. Throws
 * `namespace/missing` if `fallback` is `null` as well.
 */
export function namespaceOf(
  host: string | undefined,
  query: URLSearchParams,
  fallback: string | null,
): string {
  const namespace = findNamespace(host, query) ?? fallback;
  if (namespace === null) throw new RequestError('namespace/missing');
  return namespace;
}
