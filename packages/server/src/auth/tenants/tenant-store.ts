import {
  INSTALLATION,
  type RecordPath,
  type RecordStoreTransaction,
  type RecordTransaction,
  type RecordView,
} from '../../records/store.ts';
import { nameStart, nameStarts } from '../accounts/account-index.ts';
import { accountRecords } from '../accounts/account-store.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { removeServiceKey } from '../saml/service-key.ts';
import { memoizeByObject, requireRecord } from '../stored-record.ts';
import { type AccountScope, nameOfScope, parseTenantId, type TenantId, tenantScope } from './scope.ts';
import { decodeTenant, encodeTenant, type Tenant } from './tenant.ts';

/** Maximum number of tenants of a project. */
export const MAX_TENANTS = 10_000;
/** More kinds of records than an account has. */
const MAX_KINDS = 100;

const KIND = 'tenants';
const tenantOf = memoizeByObject((record: JsonObject, id: TenantId) => decodeTenant(record, id));

/**
 * The records of the installation hold:
 *
 * | path                         | record                                                           |
 * |------------------------------|------------------------------------------------------------------|
 * | tenants / project / id       | the tenant: `tenant.ts`                                          |
 * | tenantCount / project        | number of these records                                          |
 * | tenantNames / project / text, id | `true`; the display name from one of its first words on, see `nameStarts` |
 * | deletedTenants / project / id | time of the deletion in ms; the id is not given to a tenant again |
 */
export function findTenant(records: RecordView, projectId: string, id: TenantId): Tenant | undefined {
  const json = records.find([KIND, projectId, id]);
  return json === undefined ? undefined : tenantOf(requireRecord(json), id);
}

/** Returns the tenants of a project in the order of their ids: those after `after`, at most `limit`. */
export function listTenants(
  records: RecordView,
  projectId: string,
  after: TenantId | undefined,
  limit: number,
): readonly Tenant[] {
  const range = after === undefined ? { limit } : { after, limit };
  return records.list([KIND, projectId], range).flatMap(({ key, value }) => {
    const id = parseTenantId(key);
    return id === undefined ? [] : decodeTenant(requireRecord(value), id);
  });
}

/** Returns the number of tenants of a project that were created or changed. */
export function countTenants(records: RecordView, projectId: string): number {
  const count = records.find(['tenantCount', projectId]);
  return typeof count === 'number' ? count : 0;
}

/**
 * Returns up to `limit` tenants whose id, or a word of whose display name, begins with a text: first by their ids. Ignores
 * case and accents in names. Searches only indexes.
 */
export function findTenantsByStart(
  records: RecordView,
  projectId: string,
  text: string,
  limit: number,
): readonly Tenant[] {
  const start = nameStart(text);
  const ids = [
    ...records.listKeys([KIND, projectId], { prefix: text, limit }),
    ...(start === '' ? [] : records.listKeys([NAMES, projectId], { prefix: start, limit }).map(idOfEntry)),
  ];
  return [...new Set(ids)].slice(0, limit).flatMap((key) => {
    const id = parseTenantId(key);
    return (id === undefined ? undefined : findTenant(records, projectId, id)) ?? [];
  });
}

const NAMES = 'tenantNames';

/** Separates the indexed text from the id. Names do not contain it. */
const END = '\u0000';

function idOfEntry(entry: string): string {
  return entry.slice(entry.indexOf(END) + END.length);
}

/** Replaces the index entries of a tenant. */
function saveNames(
  records: RecordTransaction,
  projectId: string,
  id: TenantId,
  names: { readonly before: unknown; readonly after: unknown },
): void {
  if (names.before === names.after) return;
  const write = (name: unknown, value: true | null): void => {
    if (typeof name !== 'string') return;
    for (const start of nameStarts(name)) records.write([NAMES, projectId, `${start}${END}${id}`], value);
  };
  write(names.before, null);
  write(names.after, true);
}

/** Saves a tenant. Throws `QUOTA_EXCEEDED` if it is new and the project has too many. */
export function saveTenant(transaction: RecordStoreTransaction, projectId: string, tenant: Tenant): void {
  const records = transaction.records(INSTALLATION);
  const before = findTenant(records, projectId, tenant.id);
  if (before === undefined) {
    const count = countTenants(records, projectId);
    if (count >= MAX_TENANTS)
      throw new AuthApiError('QUOTA_EXCEEDED', `A project has at most ${MAX_TENANTS} tenants.`);
    records.write(['tenantCount', projectId], count + 1);
  }
  records.write([KIND, projectId, tenant.id], encodeTenant(tenant));
  const names = { before: before?.config['displayName'], after: tenant.config['displayName'] };
  saveNames(records, projectId, tenant.id, names);
}

/**
 * Deletes a tenant with its accounts, sessions and codes. The server reclaims their space later, in steps. The id stays
 * reserved, so that tokens of the tenant cannot become valid again.
 */
export function removeTenant(transaction: RecordStoreTransaction, projectId: string, id: TenantId): void {
  const records = transaction.records(INSTALLATION);
  const before = findTenant(records, projectId, id);
  if (before !== undefined) {
    saveNames(records, projectId, id, { before: before.config['displayName'], after: undefined });
    records.write([KIND, projectId, id], null);
    records.increase(['tenantCount', projectId], -1);
  }
  records.write(['deletedTenants', projectId, id], transaction.nowMs);
  const scope = tenantScope(projectId, id);
  const providers = ['providers', nameOfScope(scope)];
  if (records.listKeys(providers, { limit: 1 }).length > 0) records.write(providers, null);
  removeServiceKey(records, scope);
  eraseAccounts(transaction, scope);
}

/** Deletes all accounts of a scope, their sessions and their codes. */
export function eraseAccounts(transaction: RecordStoreTransaction, scope: AccountScope): void {
  const accounts = transaction.records(accountRecords(scope));
  for (const kind of accounts.listKeys([], { limit: MAX_KINDS })) accounts.write([kind], null);
}

/** Returns the scope of the tenant whose record is at a path, or `undefined` for other paths. */
export function findTenantOf([kind, projectId, id]: RecordPath): AccountScope | undefined {
  if (kind !== KIND || projectId === undefined || id === undefined) return undefined;
  const tenantId = parseTenantId(id);
  return tenantId === undefined ? undefined : tenantScope(projectId, tenantId);
}
