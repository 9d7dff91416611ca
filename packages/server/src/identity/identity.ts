/** Whom the owner of a project gave rights, and by which of its keys. They end with either. */
export interface Grant {
  /** The e-mail address of a service account. */
  readonly serviceAccount: string;
  readonly keyId: string;
}

/** Who makes a request, as rules see it. */
export type Identity =
  | { readonly kind: 'guest' }
  /** Rules do not apply. Without `expiresAtMs` the credential does not run out. */
  | { readonly kind: 'admin'; readonly expiresAtMs?: number; readonly grant?: Grant }
  | {
      readonly kind: 'user';
      /** The `auth` variable of the rules; usually with `uid`, `provider` and `token`. */
      readonly auth: Readonly<Record<string, unknown>>;
      /** When the credential runs out, or `null` when it does not. */
      readonly expiresAtMs: number | null;
      /** Of the administrator that acts in the user's place. */
      readonly grant?: Grant;
    };

export const GUEST: Identity = { kind: 'guest' };
export const ADMIN: Identity = { kind: 'admin' };

/** When the credential of somebody runs out, or `null` when it does not. */
export function findExpiryMs(identity: Identity): number | null {
  return identity.kind === 'guest' ? null : (identity.expiresAtMs ?? null);
}
