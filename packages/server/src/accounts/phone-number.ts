import { IdentityError, type IdentityErrorCode } from './identity-error.ts';

const E164 = /^\+\d{5,15}$/;

/** A phone number as E.164 writes it. Refuses with `INVALID_PHONE_NUMBER`, or with another code that its place has. */
export function parsePhoneNumber(text: string, code: IdentityErrorCode = 'INVALID_PHONE_NUMBER'): string {
  if (!E164.test(text)) throw new IdentityError(code, 'Invalid format.');
  return text;
}
