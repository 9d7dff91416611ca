import { isClaims } from './claims.ts';
import { ADMIN_ROLES, type AdminRole } from './service-account.ts';

/**
 * A service account as it is stored, at `service-accounts/<project>/<name>` of the book of the installation.
 * Owner: `service-accounts.ts`. History: the first form has no number.
 */
export interface ServiceAccountRecord {
  readonly roles: readonly AdminRole[];
  readonly createdAtMs: number;
  readonly isDisabled: boolean;
}

/** One of its keys, at `service-account-keys/<project>/<name>/<key id>`. History: the first form has no number. */
export interface ServiceAccountKeyRecord {
  /** SPKI in PEM; the private part is not kept. */
  readonly publicKey: string;
  readonly createdAtMs: number;
}

/** Roles are kept as words of one text. */
export function encodeServiceAccount({ roles, createdAtMs, isDisabled }: ServiceAccountRecord): unknown {
  return { roles: roles.join(' '), createdAtMs, isDisabled };
}

/** Throws when the record has another shape. */
export function decodeServiceAccount(json: unknown): ServiceAccountRecord {
  if (isClaims(json)) {
    const { roles = '', createdAtMs, isDisabled } = json;
    if (typeof roles === 'string' && typeof createdAtMs === 'number' && typeof isDisabled === 'boolean')
      return {
        roles: ADMIN_ROLES.filter((role) => roles.split(' ').includes(role)),
        createdAtMs,
        isDisabled,
      };
  }
  throw new Error('The record of a service account cannot be read.');
}

/** Throws when the record has another shape. */
export function decodeServiceAccountKey(json: unknown): ServiceAccountKeyRecord {
  if (isClaims(json)) {
    const { publicKey, createdAtMs } = json;
    if (typeof publicKey === 'string' && typeof createdAtMs === 'number') return { publicKey, createdAtMs };
  }
  throw new Error('The record of a key of a service account cannot be read.');
}
