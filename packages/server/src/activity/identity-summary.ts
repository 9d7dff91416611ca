import type { Identity } from '../identity/identity.ts';
import type { ConnectionIdentity } from './connection-summary.ts';

/** Who somebody is, without what rules are told of them. */
export function identitySummary(identity: Identity): ConnectionIdentity {
  if (identity.kind !== 'user') return { kind: identity.kind };
  const { uid } = identity.auth;
  return { kind: 'user', uid: typeof uid === 'string' ? uid : null };
}
