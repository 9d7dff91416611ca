import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Identity } from './identity.ts';

/** Refuses everybody but administrators: with `auth/role` who may only look, and others with `auth/admin-only`. */
export function mustBeAdmin({ kind }: Identity): void {
  if (kind !== 'admin') throw new Refusal(kind === 'viewer' ? 'auth/role' : 'auth/admin-only');
}
