import { Refusal } from '@hearth/core/error/request-error.ts';
import type { Identity } from './principal.ts';

/** May somebody read everything of a database, whatever its rules say? */
export function seesAll({ kind }: Identity): boolean {
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
export function mustSeeAll(identity: Identity): void {
  if (!seesAll(identity)) throw new Refusal('auth/admin-only');
}

/** Is somebody refused all writes, whatever rules say: a viewer, or whoever a viewer acts for? */
export function onlyLooks(identity: Identity): boolean {
  return identity.kind === 'viewer' || (identity.kind !== 'admin' && identity.isLookOnly === true);
}

/** Refuses who may only look: viewers with `access/denied`, and with `auth/role` where one of them acts for somebody else. */
export function mustNotOnlyLook(identity: Identity): void {
  if (onlyLooks(identity)) throw new Refusal(identity.kind === 'viewer' ? 'access/denied' : 'auth/role');
}

/** Refuses everybody but administrators: with `auth/role` who may only look, and others with `auth/admin-only`. */
export function mustBeAdmin({ kind }: Identity): void {
  if (kind !== 'admin') throw new Refusal(kind === 'viewer' ? 'auth/role' : 'auth/admin-only');
}
