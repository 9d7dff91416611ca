import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseHostName } from '../../http/guards.ts';

const NAMESPACE = /^[a-z0-9-]{1,63}$/;
const IPV4 = /^[0-9]+(?:\.[0-9]+){3}$/;

/**
 * The database that a request is about, in lower case: the query parameter `ns`, else the first label of a host
 * name of three or more. Absent when the request names none; refuses a name that no database can have.
 */
export function findNamespace(host: string | undefined, query: URLSearchParams): string | undefined {
  const name = query.get('ns') || findHostLabel(host);
  if (name === undefined) return undefined;
  return parseNamespace(name);
}

/** A database name in lower case; refuses one that no database can have. */
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

/** As `findNamespace`, with the database that is meant when a request names none; `null` refuses such requests. */
export function namespaceOf(
  host: string | undefined,
  query: URLSearchParams,
  fallback: string | null,
): string {
  const namespace = findNamespace(host, query) ?? fallback;
  if (namespace === null) throw new RequestError('namespace/missing');
  return namespace;
}
