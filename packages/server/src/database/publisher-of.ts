import type { Identity } from '../identity/identity.ts';
import type { RulesAuthor } from './rule-versions.ts';
import { authorOf } from './write.ts';

/** Who publishes rules: of the administrators, members have names. */
export function publisherOf(identity: Identity): RulesAuthor {
  return identity.kind === 'admin' && identity.grant?.kind === 'member'
    ? { kind: 'member', uid: identity.grant.uid }
    : authorOf(identity);
}
