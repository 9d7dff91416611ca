import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { contentHash } from './content-hash.ts';
import {
  applyKeyValues,
  decodeKeyValues,
  encodeKeyValues,
  type KeyValue,
  REPLICATED_TABLES,
  RecordedWrites,
} from './write-set.ts';

const bytes = (minLength: number) =>
  fc.uint8Array({ minLength, maxLength: 20 }).map((array) => Buffer.from(array));

const keyValues: fc.Arbitrary<KeyValue> = fc.record({
  table: fc.constantFrom(...REPLICATED_TABLES),
  key: bytes(1),
  value: fc.oneof(bytes(0), fc.constant(null)),
});

test('[D16] values of keys are decoded as they were encoded', () => {
  fc.assert(
    fc.property(fc.array(keyValues), (all) => {
      expect(decodeKeyValues(encodeKeyValues(all))).toEqual(all);
    }),
  );
});

test('[D16] bytes that are no values of keys are an error', () => {
  const encoded = encodeKeyValues([{ table: 'meta', key: Buffer.from('key'), value: Buffer.from('value') }]);
  for (let length = 1; length < encoded.length; length++)
    expect(() => decodeKeyValues(encoded.subarray(0, length))).toThrow();
  const unknown = Buffer.from(encoded);
  unknown[0] = REPLICATED_TABLES.length;
  expect(() => decodeKeyValues(unknown)).toThrow('unknown form');
});

test('[D16] recorded writes repeat and revert a transaction', () => {
  fc.assert(
    fc.property(fc.array(keyValues), fc.array(keyValues), (earlier, writes) => {
      const store = new MemoryStore();
      const copy = new MemoryStore();
      for (const each of [store, copy]) each.transact((tx) => applyKeyValues(tx, earlier));
      const before = contentHash(store);
      const recorded = store.transact((tx) => {
        const recording = new RecordedWrites(tx);
        applyKeyValues(recording, writes);
        return recording;
      });
      expect(recorded.isEmpty).toBe(writes.length === 0);
      copy.transact((tx) => applyKeyValues(tx, recorded.after));
      expect(contentHash(copy)).toBe(contentHash(store));
      store.transact((tx) => applyKeyValues(tx, recorded.before));
      expect(contentHash(store)).toBe(before);
    }),
  );
});

test('[D16] a recorded transaction reads its own writes, and may overwrite its buffers', () => {
  const store = new MemoryStore();
  const key = Buffer.from('key');
  const value = Buffer.from('value');
  const recorded = store.transact((tx) => {
    const recording = new RecordedWrites(tx);
    recording.put('meta', key, value);
    expect(recording.find('meta', key)?.toString()).toBe('value');
    expect([...recording.scan('meta', {})]).toHaveLength(1);
    expect(recording.count('meta', {}, 5)).toBe(1);
    key.fill(0);
    value.fill(0);
    return recording;
  });
  expect([...recorded.after].map(({ key: own, value: stored }) => `${own}=${stored}`)).toEqual(['key=value']);
});

test('[D16] preimages of snapshots stay on their node', () => {
  const store = new MemoryStore();
  store.transact((tx) => {
    const recording = new RecordedWrites(tx);
    recording.put('before', Buffer.from('key'), Buffer.from('value'));
    expect(recording.isEmpty).toBe(true);
  });
});
