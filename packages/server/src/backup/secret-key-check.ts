import { secretKeyPath } from '../platform/data-directory.ts';
import { StartFailure } from '../platform/failures.ts';
import { findSecretKey, findSecretKeyText, keyFingerprint, type SecretKey } from '../platform/secret-key.ts';
import type { KvRead, KvWrite } from '../storage/kv/store.ts';
import { type Finding, ok, problem, warning } from './report.ts';

/**
 * Key in the table `meta`. The entry holds the check value of the key that seals secrets in the store. It
 * exists once a secret is sealed.
 */
const PATH = Buffer.from('secret-key-check');

/**
 * Returns the check value of the key that a store needs, or `undefined` if no secret was ever sealed in it.
 */
export function findKeyCheck(tx: KvRead): string | undefined {
  return tx.find('meta', PATH)?.toString();
}

/** Stores the check value of the key that the store needs from now on. */
export function writeKeyCheck(tx: KvWrite, key: SecretKey): void {
  tx.put('meta', PATH, Buffer.from(keyFingerprint(key)));
}

/**
 * Checks that the key that sealed the secrets of a store is present. Cannot find a key file outside the data
 * directory.
 */
export function checkSecretKey(tx: KvRead, directory: string): Finding {
  const check = findKeyCheck(tx);
  const path = secretKeyPath(directory);
  try {
    const key = findSecretKey({ environment: findSecretKeyText(), path, check });
    if (check === undefined) return ok('key', 'The store contains no encrypted secrets.');
    if (key !== undefined) return ok('key', 'The secret key is correct.');
  } catch (cause) {
    if (!(cause instanceof StartFailure)) throw cause;
    return problem('key', cause.message);
  }
  return warning(
    'key',
    `${path} is missing, but the store contains encrypted secrets. Put it back, or start with --key-file or HEARTH_SECRET_KEY.`,
  );
}
