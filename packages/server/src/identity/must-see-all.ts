import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Identity } from './identity.ts';
import { seesAll } from './sees-all.ts';

/** Refuses everybody but administrators and those who may look at all that these see, with `auth/admin-only`. */
export function mustSeeAll(identity: Identity): void {
  if (!seesAll(identity)) throw new Refusal('auth/admin-only');
}
