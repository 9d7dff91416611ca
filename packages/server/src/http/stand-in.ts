import { databaseIdentity } from '../accounts/database-identity.ts';
import type { Identity } from '../identity/identity.ts';
import type { ApiRequest } from './api-request.ts';
import { parseOverrideParameter } from './override-parameter.ts';

/**
 * Reads `as`: whom rules are to judge in the place of whoever asks, who keeps no more rights for it than they have;
 * `undefined` when it is left out.
 */
export function findStandIn({ query, admin }: Pick<ApiRequest, 'query' | 'admin'>): Identity | undefined {
  return query.has('as') ? databaseIdentity(parseOverrideParameter(query, 'as'), admin) : undefined;
}
