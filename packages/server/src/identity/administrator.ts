import { ADMIN, type Grant, GUEST, type Identity } from './identity.ts';
import type { Credential } from './verifier.ts';

/** How far the rights of an administrator of a database go. */
export interface AdminRights {
  /** Beyond looking. */
  readonly mayChange: boolean;
  /** When they run out, or `null` when they do not. */
  readonly expiresAtMs: number | null;
  /** What else they end with, or `null` for nothing. */
  readonly grant: Grant | null;
}

export const ALL_RIGHTS: AdminRights = { mayChange: true, expiresAtMs: null, grant: null };

/**
 * Whom a credential stands for that is an administrator's: one, or whoever else the rules are to judge. Who may only look
 * does so in the place of others too, whatever rules let these write.
 */
export function administrator(
  { override }: Pick<Credential, 'override'>,
  { mayChange, expiresAtMs, grant }: AdminRights,
): Identity {
  const looking = mayChange ? {} : ({ isLookOnly: true } as const);
  if (override === null) return { ...GUEST, ...looking };
  const granted = grant === null ? {} : { grant };
  if (override !== undefined) return { kind: 'user', auth: override, expiresAtMs, ...granted, ...looking };
  const expiring = expiresAtMs === null ? {} : { expiresAtMs };
  if (!mayChange) return { kind: 'viewer', ...expiring, ...granted };
  return expiresAtMs === null ? ADMIN : { kind: 'admin', ...expiring, ...granted };
}
