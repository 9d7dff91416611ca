import { isNestedDeeperThan } from '@hearth/core/wire/client-messages.ts';
import { ADMIN, ANONYMOUS, type CredentialSource, type Principal } from './principal.ts';

/** The credential that a client presents to identify itself. */
export interface Credential {
  readonly token: string;
  /**
   * For administrators only: the principal for which rules are evaluated instead. An object is the value of
   * `auth`, and `null` is an anonymous client. If the field is absent, rules do not apply to the
   * administrator.
   */
  readonly override?: Readonly<Record<string, unknown>> | null;
}

/**
 * The database for which a credential is presented. A credential can be valid for one database and invalid
 * for another.
 */
export interface DatabaseResource {
  readonly kind: 'database';
  readonly name: string;
}

/** Determines the principal of a credential. */
export interface CredentialVerifier {
  /**
   * Resolves to the principal, which can be stored as JSON. `override` has an effect only if the credential is an
   * administrator's. Rejects with a `RequestError`: `auth/unreadable`, `auth/expired`, `auth/admin-only`,
   * `auth/role`, or one of `member/…`. Accepts text of any length and form, and never throws synchronously.
   * Several calls may run at the same time.
   */
  verify(credential: Credential, resource: DatabaseResource): Promise<Principal>;
}

/**
 * Maximum nesting depth of a principal. The limit ensures that the server can store principals and send them
 * in responses.
 */
export const MAX_PRINCIPAL_DEPTH = 32;

/** Returns whether the JSON of a principal is nested too deeply. */
export function isTooDeep(json: unknown): boolean {
  return isNestedDeeperThan(json, MAX_PRINCIPAL_DEPTH);
}

/** The extent of an administrator's rights in a database. */
export interface AdminRights {
  /** Whether the administrator may write. Reading is always allowed. */
  readonly mayChange: boolean;
  /** When the rights expire, or `null` if they do not expire. */
  readonly expiresAtMs: number | null;
  /** The source of the rights, which end when it is revoked; `null` if there is none. */
  readonly grant: CredentialSource | null;
}

export const ALL_RIGHTS: AdminRights = { mayChange: true, expiresAtMs: null, grant: null };

/**
 * Returns the principal of an administrator's credential: the administrator, or the principal that `override`
 * sets for rule decisions. If the administrator may only read, that principal may only read too, even where
 * rules allow it to write.
 */
export function createAdminPrincipal(
  { override }: Pick<Credential, 'override'>,
  { mayChange, expiresAtMs, grant }: AdminRights,
): Principal {
  const readOnly = mayChange ? {} : ({ isReadOnly: true } as const);
  if (override === null) return { ...ANONYMOUS, ...readOnly };
  const grantFields = grant === null ? {} : { grant };
  if (override !== undefined)
    return { kind: 'user', auth: override, expiresAtMs, ...grantFields, ...readOnly };
  const expiryFields = expiresAtMs === null ? {} : { expiresAtMs };
  if (!mayChange) return { kind: 'viewer', ...expiryFields, ...grantFields };
  return expiresAtMs === null ? ADMIN : { kind: 'admin', ...expiryFields, ...grantFields };
}
