import { must } from '@hearth/core/fault/assert.ts';
import type { KeyRing, SigningKey } from './key-ring.ts';
import { generateRsaKeyPair } from './rsa-key-pair.ts';
import type { TokenUse } from './token-use.ts';

/** A key without a schedule and without a certificate. */
export async function testKey(keyId: string): Promise<SigningKey> {
  return { keyId, certificate: '', ...(await generateRsaKeyPair()) };
}

/** A ring of given keys, the first of which signs. The list may be changed. */
export function testRing(use: TokenUse, keys: readonly SigningKey[]): KeyRing {
  return {
    use,
    current: () => must(keys[0], 'there is a key'),
    find: (keyId) => keys.find((key) => key.keyId === keyId)?.publicKey,
    published: () => keys,
  };
}
