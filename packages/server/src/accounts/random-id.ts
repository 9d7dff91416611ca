const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** The largest multiple of the alphabet's length that a byte can hold: bytes beyond would favour some letters. */
const LIMIT = 256 - (256 % ALPHANUMERIC.length);

/** Letters and digits that nobody can predict. */
export function randomId(length: number, randomBytes: (count: number) => Uint8Array): string {
  let id = '';
  while (id.length < length)
    for (const byte of randomBytes(length))
      if (byte < LIMIT && id.length < length) id += ALPHANUMERIC.charAt(byte % ALPHANUMERIC.length);
  return id;
}

/** The name of a new account. */
export function newUid(randomBytes: (count: number) => Uint8Array): string {
  return randomId(28, randomBytes);
}
