import type { KvRead } from '../kv/store.ts';
import { secretKeyPath } from '../ops/secret-key-path.ts';
import { findSecretKeyText } from '../ops/secret-key-text.ts';
import { StartFailure } from '../ops/start-failure.ts';
import { findKeyCheck } from '../secrets/key-check.ts';
import { findSecretKey } from '../secrets/open-secret-key.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Is the key there that the secrets of a store need? A key file elsewhere cannot be seen. */
export function checkSecretKey(tx: KvRead, directory: string): Finding {
  const check = findKeyCheck(tx);
  const path = secretKeyPath(directory);
  try {
    const key = findSecretKey({ environment: findSecretKeyText(), path, check });
    if (check === undefined) return ok('key', 'Nothing is sealed under a key of secrets.');
    if (key !== undefined) return ok('key', 'The key of secrets fits.');
  } catch (cause) {
    if (!(cause instanceof StartFailure)) throw cause;
    return problem('key', cause.message);
  }
  return warning(
    'key',
    `There is no ${path}, and secrets are sealed: put it back, or start with --key-file or HEARTH_SECRET_KEY.`,
  );
}
