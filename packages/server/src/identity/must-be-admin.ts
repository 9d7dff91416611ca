import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Identity } from './identity.ts';

/** Refuses everybody but administrators, with `auth/admin-only`. */
export function mustBeAdmin(identity: Identity): void {
  if (identity.kind !== 'admin') throw new Refusal('auth/admin-only');
}
