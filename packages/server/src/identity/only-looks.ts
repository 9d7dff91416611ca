import type { Identity } from './identity.ts';

/** Is somebody refused all writes, whatever rules say: a viewer, or whoever a viewer acts for? */
export function onlyLooks(identity: Identity): boolean {
  return identity.kind === 'viewer' || (identity.kind !== 'admin' && identity.isLookOnly === true);
}
