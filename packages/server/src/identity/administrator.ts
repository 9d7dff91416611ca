import { ADMIN, GUEST, type Identity } from './identity.ts';
import type { Credential } from './verifier.ts';

/**
 * Whom a credential stands for that is an administrator's: one, or whoever else the rules are to judge. `expiresAtMs` is
 * `null` for one that does not run out.
 */
export function administrator(
  { override }: Pick<Credential, 'override'>,
  expiresAtMs: number | null,
): Identity {
  if (override === undefined) return expiresAtMs === null ? ADMIN : { kind: 'admin', expiresAtMs };
  return override === null ? GUEST : { kind: 'user', auth: override, expiresAtMs };
}
