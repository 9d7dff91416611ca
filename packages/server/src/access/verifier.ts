import { isNestedDeeperThan } from '@hearth/core/wire/client-messages.ts';
import { ADMIN, ANONYMOUS, type CredentialSource, type Principal } from './principal.ts';

/** What a client presents to say who it is. */
export interface Credential {
  readonly token: string;
  /**
   * For administrators only: the identity to judge rules by instead. An object stands for `auth`, `null` for nobody;
   * absent leaves the administrator above the rules.
   */
  readonly override?: Readonly<Record<string, unknown>> | null;
}

/** The database that a credential is shown for: it may count for one and not for another. */
export interface DatabaseResource {
  readonly kind: 'database';
  readonly name: string;
}

/** Decides who a credential stands for. */
export interface CredentialVerifier {
  /**
   * Rejects with a `RequestError`: `auth/unreadable`, `auth/expired`, `auth/admin-only`, `auth/role`, or one of `member/…`. May
   * take time.
   */
  verify(credential: Credential, resource: DatabaseResource): Promise<Principal>;
}

/** Deepest identity that somebody may have, so that it can be kept and answered with. */
export const MAX_IDENTITY_LEVELS = 32;

/** Is JSON that says who somebody is nested too deep? */
export function isTooDeep(json: unknown): boolean {
  return isNestedDeeperThan(json, MAX_IDENTITY_LEVELS);
}

/** How far the rights of an administrator of a database go. */
export interface AdminRights {
  /** Beyond looking. */
  readonly mayChange: boolean;
  /** When they run out, or `null` when they do not. */
  readonly expiresAtMs: number | null;
  /** What else they end with, or `null` for nothing. */
  readonly grant: CredentialSource | null;
}

export const ALL_RIGHTS: AdminRights = { mayChange: true, expiresAtMs: null, grant: null };

/**
 * Whom a credential stands for that is an administrator's: one, or whoever else the rules are to judge. Who may only look
 * does so in the place of others too, whatever rules let these write.
 */
export function administrator(
  { override }: Pick<Credential, 'override'>,
  { mayChange, expiresAtMs, grant }: AdminRights,
): Principal {
  const readOnly = mayChange ? {} : ({ isLookOnly: true } as const);
  if (override === null) return { ...ANONYMOUS, ...readOnly };
  const granted = grant === null ? {} : { grant };
  if (override !== undefined) return { kind: 'user', auth: override, expiresAtMs, ...granted, ...readOnly };
  const expiring = expiresAtMs === null ? {} : { expiresAtMs };
  if (!mayChange) return { kind: 'viewer', ...expiring, ...granted };
  return expiresAtMs === null ? ADMIN : { kind: 'admin', ...expiring, ...granted };
}
