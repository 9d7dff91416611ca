import type { KvRead, KvWrite } from '../kv/store.ts';
import { deriveKey, type SecretKey } from './secret-key.ts';

/** In the table `meta`: the check of the key that secrets in the store are sealed under, once something is sealed. */
const PLACE = Buffer.from('secret-key-check');

/** Base64url text by which a key is known again, and which says nothing about it. */
export function keyCheck(key: SecretKey): string {
  return deriveKey(key, 'check').export().toString('base64url');
}

/** The check of the key that a store needs; `undefined` when nothing in it was ever sealed. */
export function findKeyCheck(tx: KvRead): string | undefined {
  return tx.find('meta', PLACE)?.toString();
}

/** Remembers the key that the store needs from now on. */
export function writeKeyCheck(tx: KvWrite, key: SecretKey): void {
  tx.put('meta', PLACE, Buffer.from(keyCheck(key)));
}
