import type { ApiRequest } from './api-request.ts';
import { parseNamespace } from './namespace.ts';

/** The database that a segment of the address names. Refuses a name that no database can have. */
export function segmentNamespace({ segments }: ApiRequest, segment: string): string {
  return parseNamespace(segments[segment] ?? '');
}
