import type { KvWrite } from '../kv/store.ts';

const COUNTER_BYTES = 6;

/** The next number of a persisted counter that starts at `first`; one that is never given again. */
export function allocateId(tx: KvWrite, counterKey: Buffer, first: number): number {
  const stored = tx.find('meta', counterKey);
  const id = stored === undefined ? first : stored.readUIntBE(0, COUNTER_BYTES);
  const next = Buffer.allocUnsafe(COUNTER_BYTES);
  next.writeUIntBE(id + 1, 0, COUNTER_BYTES);
  tx.put('meta', counterKey, next);
  return id;
}
