import { parseDisplayName, parseEmail, parsePhotoUrl } from '../accounts/field-parsers.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { findAt } from '../projects/config-fields.ts';
import type { Claims } from '../tokens/jwt.ts';
import type { ProviderAssertion, ProviderTokens } from './assertion.ts';
import type { ProfileMapping } from './presets.ts';

/** Longest id of a user at a provider, in UTF-16 code units. With this limit, it fits into a key of the account records. */
const MAX_RAW_ID_LENGTH = 255;
/** Longest profile of a provider, in UTF-16 code units of its JSON text. */
const MAX_PROFILE_LENGTH = 16_384;
/** Longest `sign_in_attributes` of ID tokens, in UTF-16 code units of their JSON text. */
const MAX_ATTRIBUTES_LENGTH = 4_096;

const GOOGLE = 'google.com';

/**
 * Returns the statements of a profile or of the claims of a provider. Throws `INVALID_IDP_RESPONSE` if they do not
 * identify the user.
 */
export function assertionFromProfile(
  { providerId, mapping }: { readonly providerId: string; readonly mapping: ProfileMapping },
  json: Claims,
  tokens: ProviderTokens,
): ProviderAssertion {
  const at = (path: string | undefined): unknown =>
    path === undefined ? undefined : findAt(json, path.split('.'));
  const rawId = requireRawId(at(mapping.rawId));
  const email = findAddress(at(mapping.email));
  const profile = {
    email,
    isEmailVerified: email !== null && isTrue(at(mapping.isEmailVerified)),
    displayName: findName(at(mapping.displayName)),
    firstName: findName(at(mapping.firstName)),
    lastName: findName(at(mapping.lastName)),
    photoUrl: findPhoto(at(mapping.photoUrl)),
    screenName: findName(at(mapping.screenName)),
  };
  return {
    providerId,
    rawId,
    otherRawIds: (mapping.otherRawIds ?? []).flatMap((name) => otherIdsOf(at(name), rawId)),
    federatedId: providerId === GOOGLE ? `https://accounts.google.com/${rawId}` : rawId,
    ...profile,
    rawUserInfo: limitProfile(providerId === GOOGLE ? googleProfile(rawId, profile, json) : json),
    signInAttributes: providerId.startsWith('oidc.') ? attributesOf(json) : null,
    tokens,
  };
}

/** The fields of a SAML assertion, by their names in an account. */
const SAML_FIELDS: ProfileMapping = {
  rawId: 'rawId',
  email: 'email',
  isEmailVerified: 'isEmailVerified',
  displayName: 'displayName',
  firstName: 'firstName',
  lastName: 'lastName',
  photoUrl: 'photoUrl',
};

/**
 * Returns the statements of a SAML assertion: the fields of an account, and all attributes unchanged. SAML does not say
 * whether an address is verified, so the configuration decides that. Throws like `assertionFromProfile`.
 */
export function assertionFromAttributes(
  providerId: string,
  fields: Claims,
  attributes: JsonObject,
): ProviderAssertion {
  const claims = { ...fields, isEmailVerified: true };
  return {
    ...assertionFromProfile({ providerId, mapping: SAML_FIELDS }, claims, {}),
    rawUserInfo: limitProfile(attributes),
    signInAttributes: attributesOf(attributes, NO_NAMES),
  };
}

/**
 * Personal accounts of Microsoft have an id of 16 hexadecimal digits, which their `oid` contains after zeros. Microsoft
 * Graph, and with it the official service, may use the shorter one.
 */
const PERSONAL_OID = /^0{8}-0{4}-0{4}-([0-9a-f]{4})-([0-9a-f]{12})$/i;

/** Returns the forms of an id that differ from the main one. */
function otherIdsOf(value: unknown, rawId: string): readonly string[] {
  if (typeof value !== 'string' || value === '' || value.length > MAX_RAW_ID_LENGTH) return [];
  const [, first = '', second = ''] = PERSONAL_OID.exec(value) ?? [];
  const forms = first === '' ? [value] : [value, `${first}${second}`.replace(/^0+/, '')];
  return forms.filter((form) => form !== '' && form !== rawId && form.isWellFormed());
}

/** Providers write the claim in several ways. */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true' || value === 1 || value === '1';
}

/** Returns the id of a user at a provider. Throws `INVALID_IDP_RESPONSE` if it cannot be the key of an account. */
function requireRawId(value: unknown): string {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value);
  const text = isNumber ? String(value) : value;
  if (typeof text !== 'string' || text === '')
    throw new AuthApiError(
      'INVALID_IDP_RESPONSE',
      'The response of the provider does not identify the user.',
    );
  if (text.length > MAX_RAW_ID_LENGTH || !text.isWellFormed())
    throw new AuthApiError('INVALID_IDP_RESPONSE', 'The ID of the user at the provider is not valid.');
  return text;
}

/** Returns an address in the form by which accounts are found; `null` if there is none or it is not valid. */
function findAddress(value: unknown): string | null {
  return typeof value === 'string' ? valueOrNull(() => parseEmail(value)) : null;
}

/** Returns a name; `null` if there is none or it is too long. */
function findName(value: unknown): string | null {
  return typeof value === 'string' ? valueOrNull(() => parseDisplayName(value)) : null;
}

/** Returns the URL of a photo; `null` if there is none or it is not valid. */
function findPhoto(value: unknown): string | null {
  return typeof value === 'string' ? valueOrNull(() => parsePhotoUrl(value)) : null;
}

/** Providers do not keep to Hearth's limits, and a sign-in must not fail because of an optional value. */
function valueOrNull<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch (cause) {
    if (cause instanceof AuthApiError) return null;
    throw cause;
  }
}

/** Returns a profile; an empty one if it is too long. */
function limitProfile(profile: JsonObject): JsonObject {
  return JSON.stringify(profile).length > MAX_PROFILE_LENGTH ? {} : profile;
}

type Profile = Pick<
  ProviderAssertion,
  'email' | 'isEmailVerified' | 'displayName' | 'firstName' | 'lastName' | 'photoUrl'
>;

/** Returns the profile of a Google user in the form of Google's former API, as the official service does. */
function googleProfile(rawId: string, profile: Profile, { locale, hd }: Claims): JsonObject {
  const address = profile.email === null ? '' : ' https://www.googleapis.com/auth/userinfo.email';
  return {
    id: rawId,
    name: profile.displayName ?? undefined,
    given_name: profile.firstName ?? undefined,
    family_name: profile.lastName ?? undefined,
    email: profile.email ?? undefined,
    verified_email: profile.email === null ? undefined : profile.isEmailVerified,
    picture: profile.photoUrl ?? undefined,
    locale: typeof locale === 'string' ? locale : undefined,
    hd: typeof hd === 'string' ? hd : undefined,
    granted_scopes: `openid https://www.googleapis.com/auth/userinfo.profile${address}`,
  };
}

/** Claims about the token itself, and not about the user. */
const OF_THE_TOKEN: ReadonlySet<string> = new Set([
  'iss',
  'aud',
  'azp',
  'exp',
  'iat',
  'nbf',
  'jti',
  'nonce',
  'at_hash',
  'c_hash',
  's_hash',
  'sid',
]);

const NO_NAMES: ReadonlySet<string> = new Set();

/** Returns the claims about the user, as many as the limit allows, in their order; `null` if there are none. */
function attributesOf(claims: Claims, omitted: ReadonlySet<string> = OF_THE_TOKEN): JsonObject | null {
  const kept: [string, unknown][] = [];
  let length = 2;
  for (const [name, value] of Object.entries(claims)) {
    if (omitted.has(name)) continue;
    const added = JSON.stringify({ [name]: value }).length;
    if (length + added > MAX_ATTRIBUTES_LENGTH) continue;
    length += added;
    kept.push([name, value]);
  }
  return kept.length === 0 ? null : Object.fromEntries(kept);
}
