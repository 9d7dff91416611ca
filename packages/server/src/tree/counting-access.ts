import type { KvWrite } from '../kv/store.ts';

/** How much a body of a transaction has asked of the store. */
export interface AccessCount {
  reads: number;
  writes: number;
}

/** Counts point reads, scanned entries and writes that go through a transaction; for tests of what a call costs. */
export function countingAccess(tx: KvWrite, count: AccessCount): KvWrite {
  return {
    find: (table, key) => {
      count.reads += 1;
      return tx.find(table, key);
    },
    *scan(table, range) {
      for (const entry of tx.scan(table, range)) {
        count.reads += 1;
        yield entry;
      }
    },
    put: (table, key, value) => {
      count.writes += 1;
      tx.put(table, key, value);
    },
    remove: (table, key) => {
      count.writes += 1;
      return tx.remove(table, key);
    },
  };
}
