import { must } from '@hearth/core/error/assert.ts';
import type { TokenUse } from './id-token.ts';
import type { KeyRing, SigningKey } from './key-ring.ts';
import { takeRsaKeyPair } from './rsa-key-pairs.fixture.ts';

/** Creates a key without a schedule and without a certificate. */
export async function testKey(keyId: string): Promise<SigningKey> {
  return { keyId, certificate: '', ...takeRsaKeyPair() };
}

/** Creates a key ring of given keys, the first of which signs. The caller may change the list later. */
export function testRing(use: TokenUse, keys: readonly SigningKey[]): KeyRing {
  return {
    use,
    current: () => must(keys[0], 'there is a key'),
    find: (keyId) => keys.find((key) => key.keyId === keyId)?.publicKey,
    published: () => keys,
  };
}
