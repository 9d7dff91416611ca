import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

declare const brand: unique symbol;

/** 32 bytes that nobody else knows. A `KeyObject`, which prints without them. */
export type SecretKey = KeyObject & { readonly [brand]: 'SecretKey' };

export const SECRET_KEY_BYTES = 32;

/** The key of exactly `SECRET_KEY_BYTES` bytes. */
export function secretKey(bytes: Uint8Array): SecretKey {
  if (bytes.length !== SECRET_KEY_BYTES) throw new RangeError(`A secret key has ${SECRET_KEY_BYTES} bytes.`);
  return createSecretKey(bytes) as SecretKey;
}

/** Another key for one purpose, by HKDF-SHA-256: what is done with it says nothing about the key it comes from. */
export function deriveKey(key: SecretKey, purpose: string): SecretKey {
  return secretKey(new Uint8Array(hkdfSync('sha256', key, '', `hearth ${purpose}`, SECRET_KEY_BYTES)));
}
