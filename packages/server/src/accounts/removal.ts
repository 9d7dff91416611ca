import { isDeepStrictEqual } from 'node:util';
import type { Account } from './account.ts';
import type { Fields } from './fields.ts';
import { IdentityError } from './identity-error.ts';
import { withoutEmail } from './with-email.ts';

/** In the order of the official interface: older clients send positions. */
const ATTRIBUTES = [
  'USER_ATTRIBUTE_NAME_UNSPECIFIED',
  'EMAIL',
  'DISPLAY_NAME',
  'PROVIDER',
  'PHOTO_URL',
  'PASSWORD',
  'RAW_USER_INFO',
] as const;

type Attribute = (typeof ATTRIBUTES)[number];

/** Something that is taken off an account. */
export type Removal =
  | { readonly kind: 'attribute'; readonly attribute: Attribute }
  /** A way to sign in with all that belongs to it: `password`, `phone`, or another identity provider. */
  | { readonly kind: 'provider'; readonly providerId: string };

/** What an account lacks without an attribute other than its address. */
const WITHOUT = {
  USER_ATTRIBUTE_NAME_UNSPECIFIED: {},
  DISPLAY_NAME: { displayName: null },
  // All of the other identity providers.
  PROVIDER: { identities: [] },
  PHOTO_URL: { photoUrl: null },
  PASSWORD: { password: null, passwordUpdatedAtMs: null },
  // Nothing is kept of what they tell beyond what is shown.
  RAW_USER_INFO: {},
} as const satisfies Readonly<Record<Exclude<Attribute, 'EMAIL'>, Partial<Account>>>;

/** By which nobody signs in. */
const PROFILE: ReadonlySet<Attribute> = new Set([
  'USER_ATTRIBUTE_NAME_UNSPECIFIED',
  'DISPLAY_NAME',
  'PHOTO_URL',
  'RAW_USER_INFO',
]);

/** Most ways to sign in that one request removes; more than an account has. */
const MAX_PROVIDERS = 100;

/** What a request wants removed, each once: `deleteAttribute` and `deleteProvider`. */
export function readRemovals(fields: Fields): readonly Removal[] {
  const attributes = [...new Set(fields.choices('deleteAttribute', ATTRIBUTES))];
  const providers = [...new Set(fields.texts('deleteProvider'))];
  if (providers.length > MAX_PROVIDERS)
    throw new IdentityError('INVALID_ARGUMENT', `"deleteProvider" may name ${MAX_PROVIDERS} at most.`);
  return [
    ...attributes.map((attribute): Removal => ({ kind: 'attribute', attribute })),
    ...providers.map((providerId): Removal => ({ kind: 'provider', providerId })),
  ];
}

/** Does somebody sign in with what is removed? */
export function removesCredential(removal: Removal): boolean {
  return removal.kind === 'provider' || !PROFILE.has(removal.attribute);
}

/** Has the account anything of what is removed? */
export function isThere(account: Account, removal: Removal): boolean {
  return !isDeepStrictEqual(applyRemoval(account, removal), account);
}

export function applyRemoval(account: Account, removal: Removal): Account {
  switch (removal.kind) {
    case 'attribute':
      return removal.attribute === 'EMAIL'
        ? withoutEmail(account)
        : { ...account, ...WITHOUT[removal.attribute] };
    case 'provider':
      return withoutProvider(account, removal.providerId);
    default:
      return removal satisfies never;
  }
}

function withoutProvider(account: Account, providerId: string): Account {
  switch (providerId) {
    case 'password': {
      // An address that another provider knows remains.
      const isShared = account.identities.some(({ email }) => email !== null && email === account.email);
      const rest = { ...account, ...WITHOUT.PASSWORD, hasEmailLink: false };
      return isShared ? rest : withoutEmail(rest);
    }
    case 'phone':
      return { ...account, phoneNumber: null };
    default:
      return {
        ...account,
        identities: account.identities.filter((identity) => identity.providerId !== providerId),
      };
  }
}
