import { IdentityError } from './identity-error.ts';

const MAX_NAME_LENGTH = 256;
const MAX_URL_LENGTH = 2_048;
/** What a page at it makes of an address without a scheme. */
const ANY_PAGE = 'https://localhost/';
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;

/**
 * What people call themselves, on one line; `null` for an empty text. Control characters become spaces, and halves of surrogate
 * pairs what stands for no character. Refuses with `INVALID_ARGUMENT` what is too long.
 */
export function parseDisplayName(text: string): string | null {
  if (text.length > MAX_NAME_LENGTH)
    throw new IdentityError('INVALID_ARGUMENT', `A display name has at most ${MAX_NAME_LENGTH} characters.`);
  return text.toWellFormed().replace(CONTROL, ' ') || null;
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
  return text.toWellFormed() || null;
}
