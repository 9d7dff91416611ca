import { isJsonObject, type JsonObject } from '../fields.ts';
import type { TenantId } from './scope.ts';

/** A set of accounts of a project with its own settings. */
export interface Tenant {
  readonly id: TenantId;
  /** The settings as the API shows them: `tenant-config.ts` checks and applies them. */
  readonly config: JsonObject;
  readonly createdAtMs: number;
}

/**
 * Returns a tenant as it is stored at `tenants/<project>/<id>`. The settings are JSON text, because the record store would
 * drop empty lists and objects. History: the first version of the format has no version number.
 */
export function encodeTenant({ config, createdAtMs }: Tenant): JsonObject {
  return { config: JSON.stringify(config), createdAtMs };
}

/** Throws if the record has another shape. */
export function decodeTenant(record: JsonObject, id: TenantId): Tenant {
  const { config, createdAtMs } = record;
  const settings: unknown = typeof config === 'string' ? JSON.parse(config) : undefined;
  if (!isJsonObject(settings) || typeof createdAtMs !== 'number')
    throw new Error(`Bug: the record of the tenant ${id} cannot be read.`);
  return { id, config: settings, createdAtMs };
}
