import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Identity } from './identity.ts';
import { onlyLooks } from './only-looks.ts';

/** Refuses who may only look: viewers with `access/denied`, and with `auth/role` where one of them acts for somebody else. */
export function mustNotOnlyLook(identity: Identity): void {
  if (onlyLooks(identity)) throw new Refusal(identity.kind === 'viewer' ? 'access/denied' : 'auth/role');
}
