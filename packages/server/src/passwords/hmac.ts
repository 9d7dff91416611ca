import { createHmac } from 'node:crypto';
import { type DigestInput, type DigestName, joinInput } from './digest-input.ts';

/** Parameters of a keyed digest. */
export interface HmacParameters extends DigestInput {
  readonly kind: 'hmac';
  readonly digest: DigestName;
  /** Secret. */
  readonly signerKey: Uint8Array;
}

export function deriveHmac(password: Uint8Array, salt: Uint8Array, parameters: HmacParameters): Uint8Array {
  return createHmac(parameters.digest, parameters.signerKey)
    .update(joinInput(password, salt, parameters))
    .digest();
}
