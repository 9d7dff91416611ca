import { isDeepStrictEqual } from 'node:util';
import { AuthApiError } from '../errors.ts';
import type { Fields } from '../fields.ts';
import { type Account, withoutEmail } from './account.ts';

/** In the order of Firebase's API: older clients send positions. */
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

/** A part of an account that a request removes. */
export type Removal =
  | { readonly kind: 'attribute'; readonly attribute: Attribute }
  /** A sign-in method with all its data: `password`, `phone`, or another identity provider. */
  | { readonly kind: 'provider'; readonly providerId: string }
  | { readonly kind: 'passkey'; readonly credentialId: string };

/** The changes that remove each attribute except the address. */
const WITHOUT = {
  USER_ATTRIBUTE_NAME_UNSPECIFIED: {},
  DISPLAY_NAME: { displayName: null },
  // Identities of all other providers.
  PROVIDER: { identities: [] },
  PHOTO_URL: { photoUrl: null },
  PASSWORD: { password: null, passwordUpdatedAtMs: null },
  // Hearth stores no further data from identity providers.
  RAW_USER_INFO: {},
} as const satisfies Readonly<Record<Exclude<Attribute, 'EMAIL'>, Partial<Account>>>;

/** Attributes that are not used to sign in. */
const PROFILE: ReadonlySet<Attribute> = new Set([
  'USER_ATTRIBUTE_NAME_UNSPECIFIED',
  'DISPLAY_NAME',
  'PHOTO_URL',
  'RAW_USER_INFO',
]);

/** Maximum number of sign-in methods, and of passkeys, that one request removes; more than an account has. */
const MAX_REMOVED = 100;

/** Reads the removals of a request from `deleteAttribute`, `deleteProvider` and `deletePasskey`, without duplicates. */
export function readRemovals(fields: Fields): readonly Removal[] {
  const attributes = [...new Set(fields.choices('deleteAttribute', ATTRIBUTES))];
  const providers = [...new Set(fields.texts('deleteProvider'))];
  const passkeys = [...new Set(fields.texts('deletePasskey'))];
  for (const [name, list] of Object.entries({ deleteProvider: providers, deletePasskey: passkeys }))
    if (list.length > MAX_REMOVED)
      throw new AuthApiError('INVALID_ARGUMENT', `"${name}" must have at most ${MAX_REMOVED} entries.`);
  return [
    ...attributes.map((attribute): Removal => ({ kind: 'attribute', attribute })),
    ...providers.map((providerId): Removal => ({ kind: 'provider', providerId })),
    ...passkeys.map((text): Removal => ({ kind: 'passkey', credentialId: normalBase64(text) })),
  ];
}

/** Returns base64url without padding, from base64 of either alphabet. */
function normalBase64(text: string): string {
  return Buffer.from(text, 'base64url').toString('base64url');
}

/** Returns whether the removed part is used to sign in. */
export function removesCredential(removal: Removal): boolean {
  return removal.kind !== 'attribute' || !PROFILE.has(removal.attribute);
}

/** Returns whether the removal would change the account. */
export function hasValueToRemove(account: Account, removal: Removal): boolean {
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
    case 'passkey':
      return {
        ...account,
        passkeys: account.passkeys.filter(({ credentialId }) => credentialId !== removal.credentialId),
      };
    default:
      return removal satisfies never;
  }
}

function withoutProvider(account: Account, providerId: string): Account {
  switch (providerId) {
    case 'password': {
      // The address remains if another provider has it too.
      const isShared = account.identities.some(({ email }) => email !== null && email === account.email);
      const rest = { ...account, ...WITHOUT.PASSWORD, hasEmailLink: false };
      return isShared ? rest : withoutEmail(rest);
    }
    case 'phone':
      return { ...account, phoneNumber: null };
    case 'passkey':
      return { ...account, passkeys: [] };
    default:
      return {
        ...account,
        identities: account.identities.filter((identity) => identity.providerId !== providerId),
      };
  }
}
