import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBulletin, encodeHandOver, encodeHeartbeat, encodeStored } from './bulletin.ts';

const heartbeats = fc.record({
  node: fc.string(),
  incarnation: fc.string(),
  head: fc.nat(),
  epoch: fc.nat(),
  address: fc.string(),
  sentMs: fc.nat(),
  hasStopped: fc.boolean(),
  failsSnapshots: fc.boolean(),
  isServing: fc.boolean(),
  hasReleased: fc.boolean(),
  successor: fc.string(),
});

test('[D12] bulletins are decoded as they were encoded', () => {
  fc.assert(
    fc.property(heartbeats, fc.nat(), fc.uint8Array({ minLength: 1 }), (heartbeat, slot, array) => {
      const stored = { slot, message: Buffer.from(array) };
      expect(decodeBulletin(encodeHeartbeat(heartbeat))).toEqual({ kind: 'heartbeat', heartbeat });
      const { node: successor } = heartbeat;
      expect(decodeBulletin(encodeHandOver(successor))).toEqual({ kind: 'hand-over', successor });
      expect(decodeBulletin(encodeStored(stored))).toEqual({ kind: 'message', stored });
    }),
  );
});

test('[D12] bytes that are not a bulletin are ignored', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (array) => {
      const bulletin = decodeBulletin(Buffer.from(array));
      if (bulletin?.kind === 'heartbeat') expect(array[0]).toBe(1);
    }),
  );
  for (const text of [
    '\x01{',
    '\x01null',
    '\x01{"node":"a","incarnation":"1","head":0.5,"epoch":1}',
    '\x02short',
    '\x04',
  ])
    expect(decodeBulletin(Buffer.from(text, 'latin1'))).toBeUndefined();
});
