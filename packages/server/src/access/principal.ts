/**
 * The roles of members in the console. An owner may do everything, an editor may change data and settings,
 * and a viewer may only read.
 */
export const MEMBER_ROLES = ['owner', 'editor', 'viewer'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/**
 * The source of rights that the owner of a project has granted: a service account or a membership. The rights
 * end with the token or with this source, whichever ends first.
 */
export type CredentialSource =
  | {
      readonly kind: 'service-account';
      /** The email address of the service account. */
      readonly serviceAccount: string;
      /** The key with which the token was obtained. */
      readonly keyId: string;
    }
  | {
      readonly kind: 'member';
      readonly projectId: string;
      readonly uid: string;
      readonly role: MemberRole;
      /** Issue time of the ID token, in seconds since 1970. */
      readonly issuedAtSec: number;
      /**
       * The sessions to which the ID token may belong. The token does not name its session. Usually there is
       * one candidate.
       */
      readonly sessionIds: readonly string[];
    };

/** The principal of a request: the caller as rules see it. */
export type Principal =
  | {
      readonly kind: 'guest';
      /** Set if a read-only admin impersonates an anonymous client. */
      readonly isReadOnly?: true;
    }
  /** Rules do not apply to an administrator. Without `expiresAtMs`, the credential does not expire. */
  | { readonly kind: 'admin'; readonly expiresAtMs?: number; readonly grant?: CredentialSource }
  /** A read-only admin: reads everything that an administrator reads, and writes nothing. */
  | { readonly kind: 'viewer'; readonly expiresAtMs?: number; readonly grant?: CredentialSource }
  | {
      readonly kind: 'user';
      /** The `auth` variable of the rules. Usually it has `uid`, `provider` and `token`. */
      readonly auth: Readonly<Record<string, unknown>>;
      /** When the credential expires, or `null` if it does not expire. */
      readonly expiresAtMs: number | null;
      /** The rights of the administrator that impersonates the user. */
      readonly grant?: CredentialSource;
      /** Set if a read-only admin impersonates the user. Rules cannot allow writes then. */
      readonly isReadOnly?: true;
    };

export const ANONYMOUS = { kind: 'guest' } as const satisfies Principal;
export const ADMIN: Principal = { kind: 'admin' };

/**
 * Returns the name under which the use of resources by a member or a service account is counted; `undefined` without
 * a source, as for the operator of the server.
 */
export function granteeOf(grant: CredentialSource | null | undefined): string | undefined {
  if (grant === null || grant === undefined) return undefined;
  return grant.kind === 'member'
    ? `member ${grant.projectId}/${grant.uid}`
    : `service ${grant.serviceAccount}`;
}

/** Returns whether a member of the console makes a request, under their own name or as another principal. */
export function isMemberRequest(principal: Principal): boolean {
  return principal.kind !== 'guest' && principal.grant?.kind === 'member';
}

/**
 * Returns the name under which the use of a database by a principal is counted: the administrator that impersonates a
 * user, the signed-in user, or `undefined` for guests and for administrators without a source.
 */
export function identityNameOf(principal: Principal, database: string): string | undefined {
  if (principal.kind === 'guest') return undefined;
  const grantee = granteeOf(principal.grant);
  if (grantee !== undefined || principal.kind !== 'user') return grantee;
  const { uid } = principal.auth;
  return typeof uid === 'string' ? `user ${database}/${uid}` : undefined;
}

/** Returns the ID of the tenant that the token of a user names, from the variable `auth`; `undefined` if it names none. */
export function findTenantId({ token }: Readonly<Record<string, unknown>>): string | undefined {
  const tenant = memberOf(memberOf(token, 'firebase'), 'tenant');
  return typeof tenant === 'string' ? tenant : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** Returns when the credential of a principal expires, or `null` if it does not expire. */
export function findExpiryMs(principal: Principal): number | null {
  return principal.kind === 'guest' ? null : (principal.expiresAtMs ?? null);
}
