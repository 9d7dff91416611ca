import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Principal } from './principal.ts';

/** May somebody read everything of a database, whatever its rules say? */
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

/** Refuses everybody but administrators and those who may look at all that these see, with `auth/admin-only`. */
export function requireReadAll(identity: Principal): void {
  if (!canReadAll(identity)) throw new RequestError('auth/admin-only');
}

/** Is somebody refused all writes, whatever rules say: a viewer, or whoever a viewer acts for? */
export function isReadOnlyCaller(identity: Principal): boolean {
  return identity.kind === 'viewer' || (identity.kind !== 'admin' && identity.isLookOnly === true);
}

/** Refuses who may only look: viewers with `access/denied`, and with `auth/role` where one of them acts for somebody else. */
export function requireWriteAccess(identity: Principal): void {
  if (isReadOnlyCaller(identity))
    throw new RequestError(identity.kind === 'viewer' ? 'access/denied' : 'auth/role');
}

/** Refuses everybody but administrators: with `auth/role` who may only look, and others with `auth/admin-only`. */
export function requireAdmin({ kind }: Principal): void {
  if (kind !== 'admin') throw new RequestError(kind === 'viewer' ? 'auth/role' : 'auth/admin-only');
}
