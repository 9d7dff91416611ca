import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ChainHash,
  chainHash,
  decodeMessage,
  encodeMessage,
  encodeRecord,
  FIRST_HASH,
  findPrevHash,
  MAX_BODY_BYTES,
  MAX_CHUNKS,
  MAX_MESSAGE_BYTES,
} from './message.ts';

const hashes = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => Buffer.from(bytes).toString('latin1') as ChainHash);
const bodies = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes));
const chunks = fc.option(
  fc
    .integer({ min: 1, max: MAX_CHUNKS })
    .chain((total) => fc.integer({ min: 0, max: total - 1 }).map((index) => ({ index, total }))),
);
const messages = fc.record({
  epoch: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  prevHash: hashes,
  chunk: chunks,
  body: bodies,
});

test('[D2] a message is decoded as it was encoded', () => {
  fc.assert(
    fc.property(messages, (message) => {
      const bytes = encodeMessage(message);
      expect(decodeMessage(bytes)).toEqual(message);
      expect(findPrevHash(bytes)).toBe(message.prevHash);
    }),
  );
});

test('[D2] arbitrary bytes are a message, a sentence, or too short', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (array) => {
      const bytes = Buffer.from(array);
      if (findPrevHash(bytes) === undefined) expect(bytes.length).toBeLessThan(22);
      else expect(['string', 'object']).toContain(typeof decodeMessage(bytes));
    }),
  );
});

test.each([
  [0, [0]],
  [1, [1]],
  [MAX_BODY_BYTES, [MAX_BODY_BYTES]],
  [MAX_BODY_BYTES + 1, [MAX_BODY_BYTES, 1]],
  [3 * MAX_BODY_BYTES, [MAX_BODY_BYTES, MAX_BODY_BYTES, MAX_BODY_BYTES]],
])('[D2] a body of %i bytes becomes messages with bodies of %j', (length, expected) => {
  const body = Buffer.alloc(length, 'x');
  const record = encodeRecord(7, FIRST_HASH, body);
  const decoded = record.map(({ bytes }) => decodeMessage(bytes));
  expect(decoded.map((message) => (typeof message === 'string' ? message : message.body.length))).toEqual(
    expected,
  );
  expect(Math.max(...record.map(({ bytes }) => bytes.length))).toBeLessThanOrEqual(MAX_MESSAGE_BYTES);
  // Each message names the hash after the one before it.
  let last = FIRST_HASH;
  for (const { bytes, hash } of record) {
    expect(findPrevHash(bytes)).toBe(last);
    expect(hash).toBe(chainHash(last, bytes));
    last = hash;
  }
});

test('[D2] a body that needs too many messages is a bug', () => {
  expect(() => encodeRecord(1, FIRST_HASH, Buffer.alloc(MAX_CHUNKS * 2 + 1), 2)).toThrow('too long');
});

test('[D3] the hash is the start of the SHA-256 of the previous hash and the message', () => {
  expect(Buffer.from(chainHash(FIRST_HASH, Buffer.from('abc')), 'latin1').toString('hex')).toBe(
    '277e7ff6d232b9763f4a66e8d05d210d',
  );
});

test.each([
  ['a later format', 0, 2],
  ['a later reader', 1, 2],
])('[D7] a message of %s is not read', (_name, offset, value) => {
  const bytes = encodeMessage({ epoch: 1, prevHash: FIRST_HASH, chunk: null, body: Buffer.from('a') });
  bytes[offset] = value;
  expect(decodeMessage(bytes)).toMatch('version');
});

test.each([
  ['without a number', null],
  ['beyond its record', { index: 3, total: 3 }],
  ['of too long a record', { index: 0, total: MAX_CHUNKS + 1 }],
])('[D7] a chunk %s is not read', (_name, chunk) => {
  const bytes = encodeMessage({ epoch: 1, prevHash: FIRST_HASH, chunk, body: Buffer.alloc(0) });
  bytes[0] = 0x81;
  expect(decodeMessage(bytes)).toMatch('chunk');
});

test('[D7] a message that is longer than allowed is not read', () => {
  const bytes = encodeMessage({
    epoch: 1,
    prevHash: FIRST_HASH,
    chunk: null,
    body: Buffer.alloc(MAX_MESSAGE_BYTES),
  });
  expect(decodeMessage(bytes)).toMatch('bytes');
});
