import { ADMIN, type Grant, GUEST, type Identity } from './identity.ts';
import type { Credential } from './verifier.ts';

/**
 * Whom a credential stands for that is an administrator's: one, or whoever else the rules are to judge. `expiresAtMs` is
 * `null` for one that does not run out, and `grant` for one that nothing else ends.
 */
export function administrator(
  { override }: Pick<Credential, 'override'>,
  expiresAtMs: number | null,
  grant: Grant | null,
): Identity {
  if (override === null) return GUEST;
  const granted = grant === null ? {} : { grant };
  if (override !== undefined) return { kind: 'user', auth: override, expiresAtMs, ...granted };
  return expiresAtMs === null ? ADMIN : { kind: 'admin', expiresAtMs, ...granted };
}
