/** What a member may do in the console: everything, change data and settings, or look. */
export const MEMBER_ROLES = ['owner', 'editor', 'viewer'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** Whom the owner of a project gave rights, and what these end with beside the token. */
export type CredentialSource =
  | {
      readonly kind: 'service-account';
      /** Its e-mail address. */
      readonly serviceAccount: string;
      /** The key with which the token was obtained. */
      readonly keyId: string;
    }
  | {
      readonly kind: 'member';
      readonly projectId: string;
      readonly uid: string;
      readonly role: MemberRole;
      /** Of the ID token, in seconds since 1970. */
      readonly issuedAtSec: number;
      /** The sessions that the ID token may be of, which it does not name: usually one. */
      readonly sessionIds: readonly string[];
    };

/** Who makes a request, as rules see it. */
export type Principal =
  | {
      readonly kind: 'guest';
      /** Whoever acts in the guest's place may only look. */
      readonly isLookOnly?: true;
    }
  /** Rules do not apply. Without `expiresAtMs` the credential does not run out. */
  | { readonly kind: 'admin'; readonly expiresAtMs?: number; readonly grant?: CredentialSource }
  /** Sees what an administrator sees, and writes nothing. */
  | { readonly kind: 'viewer'; readonly expiresAtMs?: number; readonly grant?: CredentialSource }
  | {
      readonly kind: 'user';
      /** The `auth` variable of the rules; usually with `uid`, `provider` and `token`. */
      readonly auth: Readonly<Record<string, unknown>>;
      /** When the credential runs out, or `null` when it does not. */
      readonly expiresAtMs: number | null;
      /** Of the administrator that acts in the user's place. */
      readonly grant?: CredentialSource;
      /** May that one only look? Then rules cannot let them write. */
      readonly isLookOnly?: true;
    };

export const ANONYMOUS = { kind: 'guest' } as const satisfies Principal;
export const ADMIN: Principal = { kind: 'admin' };

/** When the credential of somebody runs out, or `null` when it does not. */
export function findExpiryMs(identity: Principal): number | null {
  return identity.kind === 'guest' ? null : (identity.expiresAtMs ?? null);
}
