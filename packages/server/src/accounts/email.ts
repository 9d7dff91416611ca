import { domainToASCII } from 'node:url';
import { IdentityError, type IdentityErrorCode } from './identity-error.ts';

const MAX_LENGTH = 255;
const MAX_LOCAL_LENGTH = 64;
/** Without characters that are not seen: control characters, those that turn the direction, and halves of pairs. */
const ADDRESS = /^[^\s\p{Cc}\p{Cf}\p{Cs}@"(),:;<>[\\\]]+@[^\s@"(),:;<>[\\\]]+$/u;
const DOMAIN =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/**
 * An e-mail address as accounts are found by it: all lower case, and its domain as name servers know it. Refuses with
 * `INVALID_EMAIL`, or with another code that the place of the address has.
 */
export function parseEmail(text: string, code: IdentityErrorCode = 'INVALID_EMAIL'): string {
  const address = text.normalize('NFC').toLowerCase();
  const at = address.lastIndexOf('@');
  const domain = domainToASCII(address.slice(at + 1));
  const email = `${address.slice(0, at)}@${domain}`;
  if (!ADDRESS.test(address) || !DOMAIN.test(domain) || at > MAX_LOCAL_LENGTH || email.length > MAX_LENGTH)
    throw new IdentityError(code);
  return email;
}
