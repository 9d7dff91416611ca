import type { Fields } from '../fields.ts';
import { IdentityError } from '../identity-error.ts';

const MAX_NAME_LENGTH = 256;
const MAX_URL_LENGTH = 2_048;

/** The name that people see, if a request says one. */
export function parseDisplayName(fields: Fields): string | undefined {
  const name = fields.text('displayName');
  if (name !== undefined && name.length > MAX_NAME_LENGTH)
    throw new IdentityError('INVALID_ARGUMENT', `"displayName" has at most ${MAX_NAME_LENGTH} characters.`);
  return name;
}

/** The address of a picture, if a request says one; an empty one is none. */
export function parsePhotoUrl(fields: Fields): string | undefined {
  const url = fields.text('photoUrl');
  if (url === undefined || url === '') return url;
  if (url.length > MAX_URL_LENGTH || !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new IdentityError(
      'INVALID_ARGUMENT',
      `"photoUrl" must be an http or https address of at most ${MAX_URL_LENGTH} characters.`,
    );
  return url;
}
