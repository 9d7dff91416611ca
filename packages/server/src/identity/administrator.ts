import { ADMIN, GUEST, type Identity } from './identity.ts';
import type { Credential } from './verifier.ts';

/** Whom a credential stands for that is an administrator's: one, or whoever else the rules are to judge. */
export function administrator({ override }: Pick<Credential, 'override'>): Identity {
  if (override === undefined) return ADMIN;
  return override === null ? GUEST : { kind: 'user', auth: override, expiresAtMs: null };
}
