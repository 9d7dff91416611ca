import type { Fields } from '../fields.ts';
import { IdentityError } from '../identity-error.ts';
import { parseDisplayName } from '../profile.ts';

const MAX_NAME_LENGTH = 64;

/** What its owner calls a second factor; `null` for nothing. Refuses with `INVALID_ARGUMENT` what is too long. */
export function parseFactorName(fields: Fields): string | null {
  const name = parseDisplayName(fields.text('displayName') ?? '');
  if (name !== null && name.length > MAX_NAME_LENGTH)
    throw new IdentityError(
      'INVALID_ARGUMENT',
      `The name of a second factor has at most ${MAX_NAME_LENGTH} characters.`,
    );
  return name;
}
