import { hasControls, MAX_UID_LENGTH } from '../../tokens/uid.ts';
import { IdentityError, type IdentityErrorCode } from '../identity-error.ts';

/** A name that an administrator chooses for a new account, or an app with a custom token, which has a code of its own. */
export function parseNewUid(text: string, code: IdentityErrorCode = 'INVALID_ARGUMENT'): string {
  if (text.length > MAX_UID_LENGTH || text.includes('/') || hasControls(text) || !text.isWellFormed())
    throw new IdentityError(
      code,
      `A user ID has 1 to ${MAX_UID_LENGTH} characters, none of them a slash or a control character.`,
    );
  return text;
}
