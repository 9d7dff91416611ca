import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBody, encodeBatch, encodeEpoch } from './body.ts';

test('[D2] bodies are decoded as they were encoded', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.uint8Array(), (node, incarnation, array) => {
      const payload = Buffer.from(array);
      expect(decodeBody(encodeEpoch({ node, incarnation }))).toEqual({ kind: 'epoch', node, incarnation });
      expect(decodeBody(encodeBatch(payload))).toEqual({ kind: 'batch', payload });
    }),
  );
});

test('[D7] a body of an unknown kind is skipped if its kind allows it', () => {
  expect(decodeBody(Buffer.of(0x01, 1, 2))).toEqual({ kind: 'skipped' });
});

test.each([
  ['an unknown critical kind', Buffer.of(0xff)],
  ['nothing', Buffer.alloc(0)],
  ['an epoch that is not JSON', Buffer.from('\x81{', 'latin1')],
  ['an epoch that is not an object', Buffer.from('\x815', 'latin1')],
  ['an epoch without a node', Buffer.from('\x81{"incarnation":"1"}', 'latin1')],
  ['an epoch whose node is a number', Buffer.from('\x81{"node":1,"incarnation":"1"}', 'latin1')],
])('[D7] a body of %s is not read', (_name, bytes) => {
  expect(decodeBody(bytes)).toEqual(expect.any(String));
});
