import { domainToASCII } from 'node:url';
import { AuthApiError, type AuthErrorCode } from '../errors.ts';
import type { Fields } from '../fields.ts';
import { hasControls, MAX_UID_LENGTH, parseCustomClaims } from '../tokens/id-token.ts';
import type { FederatedIdentity } from './account.ts';

const MAX_LENGTH = 255;
const MAX_LOCAL_LENGTH = 64;
/**
 * Excludes invisible characters: control characters, characters that change the text direction, and unpaired
 * surrogates.
 */
const ADDRESS = /^[^\s\p{Cc}\p{Cf}\p{Cs}@"(),:;<>[\\\]]+@[^\s@"(),:;<>[\\\]]+$/u;
const DOMAIN =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/**
 * Parses an email address into the form by which accounts are found: lower case, with the domain in ASCII as
 * DNS uses it. Throws `INVALID_EMAIL`, or `code` if the request uses another code for the address.
 */
export function parseEmail(text: string, code: AuthErrorCode = 'INVALID_EMAIL'): string {
  const address = text.normalize('NFC').toLowerCase();
  const at = address.lastIndexOf('@');
  const domain = domainToASCII(address.slice(at + 1));
  const email = `${address.slice(0, at)}@${domain}`;
  if (!ADDRESS.test(address) || !DOMAIN.test(domain) || at > MAX_LOCAL_LENGTH || email.length > MAX_LENGTH)
    throw new AuthApiError(code);
  return email;
}

/**
 * Parses the email address of a request. Throws `MISSING_EMAIL` if there is none, and `INVALID_EMAIL` if it is empty
 * or not valid, as the official service does.
 */
export function requireEmail(fields: Fields): string {
  const text = fields.text('email');
  if (text === undefined) throw new AuthApiError('MISSING_EMAIL');
  return parseEmail(text);
}

const E164 = /^\+\d{5,15}$/;

/** Returns a phone number in E.164 form. Throws `INVALID_PHONE_NUMBER`, or the code that the caller passes. */
export function parsePhoneNumber(text: string, code: AuthErrorCode = 'INVALID_PHONE_NUMBER'): string {
  if (!E164.test(text)) throw new AuthApiError(code, 'Invalid format.');
  return text;
}

const MAX_NAME_LENGTH = 256;
const MAX_URL_LENGTH = 2_048;
/** The base URL for photo URLs without a scheme. */
const ANY_PAGE = 'https://localhost/';
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;

/**
 * Returns a display name on one line; `null` for an empty text. Replaces control characters by spaces, and lone
 * surrogates by the replacement character. Throws `INVALID_ARGUMENT` if the name is too long.
 */
export function parseDisplayName(text: string): string | null {
  if (text.length > MAX_NAME_LENGTH)
    throw new AuthApiError('INVALID_ARGUMENT', `A display name has at most ${MAX_NAME_LENGTH} characters.`);
  return text.toWellFormed().replace(CONTROL, ' ') || null;
}

/**
 * Returns the URL of a photo; `null` for an empty text. Throws `INVALID_ARGUMENT` if it is too long, or if its
 * scheme is neither http nor https: other schemes can run code. Accepts text without a scheme, because apps also
 * store names of their own pictures here.
 */
export function parsePhotoUrl(text: string): string | null {
  if (text.length > MAX_URL_LENGTH)
    throw new AuthApiError('INVALID_ARGUMENT', `A photo URL has at most ${MAX_URL_LENGTH} characters.`);
  if (!/^https?:$/.test(URL.parse(text, ANY_PAGE)?.protocol ?? ''))
    throw new AuthApiError('INVALID_ARGUMENT', 'A photo URL begins with https:// or http://.');
  return text.toWellFormed() || null;
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/**
 * The greatest multiple of the alphabet's length up to 256. Bytes from this number on are skipped, because they would
 * make some characters more likely.
 */
const LIMIT = 256 - (256 % ALPHANUMERIC.length);

/** Returns unpredictable letters and digits. */
export function randomId(length: number, randomBytes: (count: number) => Uint8Array): string {
  let id = '';
  while (id.length < length)
    for (const byte of randomBytes(length))
      if (byte < LIMIT && id.length < length) id += ALPHANUMERIC.charAt(byte % ALPHANUMERIC.length);
  return id;
}

/** Returns the uid for a new account. */
export function newUid(randomBytes: (count: number) => Uint8Array): string {
  return randomId(28, randomBytes);
}

/**
 * Parses a user id that an administrator chooses for a new account, or an app through a custom token. Throws
 * `code`, which differs for custom tokens.
 */
export function parseNewUid(text: string, code: AuthErrorCode = 'INVALID_ARGUMENT'): string {
  if (text.length > MAX_UID_LENGTH || text.includes('/') || hasControls(text) || !text.isWellFormed())
    throw new AuthApiError(
      code,
      `A user ID has 1 to ${MAX_UID_LENGTH} characters, none of them a slash or a control character.`,
    );
  return text;
}

/**
 * Parses the custom claims that an administrator sets on an account, as JSON text. Returns `null` for an empty
 * text and `undefined` if the request does not contain them. Keeps an empty object, as the official service does.
 * Throws `CLAIMS_TOO_LARGE`, `INVALID_CLAIMS` or `FORBIDDEN_CLAIM`.
 */
export function parseCustomAttributes(fields: Fields): string | null | undefined {
  const text = fields.text('customAttributes');
  if (text === undefined) return undefined;
  if (text === '') return null;
  parseCustomClaims(text);
  return text;
}

/** With this limit, every id fits into a key of the account records, whatever its characters are. */
const MAX_RAW_ID_LENGTH = 255;
const MAX_PROVIDER_ID_LENGTH = 128;
const MAX_EMAIL_LENGTH = 255;

/**
 * Parses an identity at another provider as an administrator describes it. The caller has already parsed the
 * members that identify it. Throws `INVALID_PROVIDER_ID`, `INVALID_EMAIL` or `INVALID_ARGUMENT` for values that
 * are too long or malformed.
 */
export function parseIdentity(
  info: Fields,
  {
    providerId,
    rawId,
    wasLinkedVerified,
  }: Pick<FederatedIdentity, 'providerId' | 'rawId' | 'wasLinkedVerified'>,
): FederatedIdentity {
  if (providerId.length > MAX_PROVIDER_ID_LENGTH || !providerId.isWellFormed())
    throw new AuthApiError('INVALID_PROVIDER_ID');
  if (rawId.length > MAX_RAW_ID_LENGTH || !rawId.isWellFormed())
    throw new AuthApiError('INVALID_ARGUMENT', `A raw ID has at most ${MAX_RAW_ID_LENGTH} characters.`);
  const email = info.filled('email') ?? null;
  if (email !== null && email.length > MAX_EMAIL_LENGTH) throw new AuthApiError('INVALID_EMAIL');
  return {
    providerId,
    rawId,
    email,
    displayName: parseDisplayName(info.text('displayName') ?? ''),
    photoUrl: parsePhotoUrl(info.text('photoUrl') ?? ''),
    screenName: parseDisplayName(info.text('screenName') ?? ''),
    wasLinkedVerified,
  };
}

/** Returns a time in the unit of the field. Throws `INVALID_ARGUMENT` if it is negative. */
export function parseTime(fields: Fields, name: string): number | undefined {
  const time = fields.whole(name);
  if (time !== undefined && time < 0)
    throw new AuthApiError('INVALID_ARGUMENT', `"${name}" must not be negative.`);
  return time;
}

/** Maximum number of seconds by which an administrator's clock may be ahead of the server's clock. */
const MAX_CLOCK_LEAD_SEC = 300;

/**
 * Returns the second before which an administrator revokes tokens, or `undefined` if the request gives none.
 * Throws `INVALID_ARGUMENT` if it is more than `MAX_CLOCK_LEAD_SEC` in the future.
 */
export function parseValidSince(fields: Fields, nowMs: number): number | undefined {
  const second = parseTime(fields, 'validSince');
  if (second !== undefined && second > nowMs / 1_000 + MAX_CLOCK_LEAD_SEC)
    throw new AuthApiError(
      'INVALID_ARGUMENT',
      '"validSince" must be in seconds since 1970, and not in the future.',
    );
  return second;
}
