/** Names of digests as `node:crypto` knows them. */
export type DigestName = 'md5' | 'sha1' | 'sha256' | 'sha512';

/** Which of the two comes first in what is digested. */
export type InputOrder = 'salt-first' | 'password-first';

/** How salt and password become one text. The separator belongs to the salt, whichever comes first. */
export interface DigestInput {
  readonly saltSeparator: Uint8Array;
  readonly order: InputOrder;
}

export function joinInput(
  password: Uint8Array,
  salt: Uint8Array,
  { saltSeparator, order }: DigestInput,
): Uint8Array {
  return order === 'salt-first'
    ? Buffer.concat([salt, saltSeparator, password])
    : Buffer.concat([password, salt, saltSeparator]);
}
