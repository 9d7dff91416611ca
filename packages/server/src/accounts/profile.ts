import { IdentityError } from './identity-error.ts';

const MAX_NAME_LENGTH = 256;
const MAX_URL_LENGTH = 2_048;
/** What a page at it makes of an address without a scheme. */
const ANY_PAGE = 'https://localhost/';

/** What people call themselves; `null` for an empty text. Refuses with `INVALID_ARGUMENT` what is too long. */
export function parseDisplayName(text: string): string | null {
  if (text.length > MAX_NAME_LENGTH)
    throw new IdentityError('INVALID_ARGUMENT', `A display name has at most ${MAX_NAME_LENGTH} characters.`);
  return text || null;
}

/**
 * Where a picture is, `null` for an empty text. Refuses with `INVALID_ARGUMENT` what is too long, and schemes that may do
 * more than show a picture. Apps also keep names of their own pictures here, which have no scheme.
 */
export function parsePhotoUrl(text: string): string | null {
  if (text.length > MAX_URL_LENGTH)
    throw new IdentityError('INVALID_ARGUMENT', `A photo URL has at most ${MAX_URL_LENGTH} characters.`);
  if (!/^https?:$/.test(URL.parse(text, ANY_PAGE)?.protocol ?? ''))
    throw new IdentityError('INVALID_ARGUMENT', 'A photo URL begins with https:// or http://.');
  return text || null;
}
