/** Who makes a request, as rules see it. */
export type Identity =
  | { readonly kind: 'guest' }
  /** Rules do not apply. */
  | { readonly kind: 'admin' }
  | {
      readonly kind: 'user';
      /** The `auth` variable of the rules; usually with `uid`, `provider` and `token`. */
      readonly auth: Readonly<Record<string, unknown>>;
      /** When the credential runs out, or `null` when it does not. */
      readonly expiresAtMs: number | null;
    };

export const GUEST: Identity = { kind: 'guest' };
export const ADMIN: Identity = { kind: 'admin' };
