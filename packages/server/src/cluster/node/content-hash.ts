import { createHash } from 'node:crypto';
import type { KvStore } from '../../storage/kv/store.ts';
import { encodeKeyValues, scanCommonData } from './write-set.ts';

/** Returns a hash of everything that the nodes of a cluster have in common. Equal positions have equal hashes. */
export function contentHash(store: KvStore): string {
  const hash = createHash('sha256');
  store.read((tx): void => {
    for (const pair of scanCommonData(tx)) hash.update(encodeKeyValues([pair]));
  });
  return hash.digest('hex');
}
