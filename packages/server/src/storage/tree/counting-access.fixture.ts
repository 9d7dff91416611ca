import type { KvWrite } from '../kv/store.ts';

/** The number of store accesses of a transaction body. */
export interface AccessCount {
  reads: number;
  writes: number;
}

/**
 * Wraps a transaction and counts its point reads, scanned and counted entries, and writes. For tests of the
 * cost of a call.
 */
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
    count: (table, range, limit) => {
      const counted = tx.count(table, range, limit);
      count.reads += counted;
      return counted;
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
