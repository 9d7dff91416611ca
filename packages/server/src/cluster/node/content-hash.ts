import { createHash } from 'node:crypto';
import type { KvStore } from '../../storage/kv/store.ts';
import { OWN_KEYS } from './position.ts';
import { REPLICATED_TABLES } from './write-set.ts';

/** Returns a hash of everything that the nodes of a cluster have in common. Equal positions have equal hashes. */
export function contentHash(store: KvStore): string {
  const hash = createHash('sha256');
  const length = Buffer.alloc(4);
  store.read((tx): void => {
    for (const table of REPLICATED_TABLES) {
      hash.update(`${table}\0`);
      for (const { key, value } of tx.scan(table, {})) {
        if (table === 'meta' && key.compare(OWN_KEYS.lower) >= 0 && key.compare(OWN_KEYS.upper) < 0) continue;
        for (const bytes of [key, value]) {
          length.writeUInt32BE(bytes.length);
          hash.update(length).update(bytes);
        }
      }
    }
  });
  return hash.digest('hex');
}
