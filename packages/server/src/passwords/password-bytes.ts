/** The longest password that is hashed, in bytes of UTF-8: hashing takes longer with every byte. */
export const MAX_PASSWORD_BYTES = 4096;

/** A password too long to be hashed. It is nobody's password, so the answer may be the same as for a wrong one. */
export class PasswordTooLong extends Error {
  constructor() {
    super(`The password has more than ${MAX_PASSWORD_BYTES} bytes.`);
    this.name = 'PasswordTooLong';
  }
}

export function isPasswordTooLong(password: string): boolean {
  return Buffer.byteLength(password) > MAX_PASSWORD_BYTES;
}

/** The bytes that are hashed: UTF-8 of exactly what was typed, nothing trimmed or cut. Throws PasswordTooLong. */
export function passwordBytes(password: string): Uint8Array {
  if (isPasswordTooLong(password)) throw new PasswordTooLong();
  return Buffer.from(password);
}
