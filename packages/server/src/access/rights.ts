import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Principal } from './principal.ts';

/** Returns whether a principal may read everything in a database, regardless of its rules. */
export function canReadAll({ kind }: Principal): boolean {
  switch (kind) {
    case 'admin':
    case 'viewer':
      return true;
    case 'user':
    case 'guest':
      return false;
    default:
      return kind satisfies never;
  }
}

/** Returns whether a principal is an administrator, who may be read-only and may impersonate a user. */
export function isAdministrator(principal: Principal): boolean {
  switch (principal.kind) {
    case 'admin':
    case 'viewer':
      return true;
    case 'guest':
      return principal.isReadOnly === true;
    case 'user':
      return principal.grant !== undefined;
    default:
      return principal satisfies never;
  }
}

/** Throws `auth/admin-only` unless the principal is an administrator or a read-only admin. */
export function requireReadAll(principal: Principal): void {
  if (!canReadAll(principal)) throw new RequestError('auth/admin-only');
}

/**
 * Returns whether all writes of a principal are rejected, regardless of the rules. This applies to a read-only admin,
 * and to every principal that a read-only admin impersonates.
 */
export function isReadOnlyCaller(principal: Principal): boolean {
  return principal.kind === 'viewer' || (principal.kind !== 'admin' && principal.isReadOnly === true);
}

/**
 * Throws if the principal may only read: `access/denied` for a read-only admin, and `auth/role` for a
 * principal that a read-only admin impersonates.
 */
export function requireWriteAccess(principal: Principal): void {
  if (isReadOnlyCaller(principal))
    throw new RequestError(principal.kind === 'viewer' ? 'access/denied' : 'auth/role');
}

/**
 * Throws unless the principal is an administrator: `auth/role` for a read-only admin, and `auth/admin-only`
 * for all others.
 */
export function requireAdmin({ kind }: Principal): void {
  if (kind !== 'admin') throw new RequestError(kind === 'viewer' ? 'auth/role' : 'auth/admin-only');
}
