import { INSTALLATION, type RecordStoreView, type RecordView } from '../../records/store.ts';
import { AuthApiError } from '../errors.ts';
import type { AccountScope, TenantId } from './scope.ts';

/** Returns whether the id belonged to a deleted tenant of the project. */
export function wasDeleted(records: RecordView, projectId: string, id: TenantId): boolean {
  return records.find(['deletedTenants', projectId, id]) !== undefined;
}

/**
 * Throws `INVALID_TENANT_ID` if the scope is that of a deleted tenant. A request selects its tenant before it waits, for a hash
 * or a function, so the transaction that stores something in the tenant must check again.
 */
export function requireNotDeleted(view: RecordStoreView, { projectId, tenantId }: AccountScope): void {
  if (tenantId !== null && wasDeleted(view.records(INSTALLATION), projectId, tenantId))
    throw new AuthApiError('INVALID_TENANT_ID');
}
