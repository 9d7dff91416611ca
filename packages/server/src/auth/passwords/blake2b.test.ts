import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blake2b } from './blake2b.ts';

test('[I72] BLAKE2b of 64 bytes equals that of Node', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (message) => {
      expect(Buffer.from(blake2b(message, 64))).toEqual(createHash('blake2b512').update(message).digest());
    }),
  );
});

test.each([0, 127, 128, 129, 256])(
  '[I72] BLAKE2b of a message of %d bytes, near the end of a block',
  (length) => {
    const message = Buffer.alloc(length, 7);
    expect(Buffer.from(blake2b(message, 64))).toEqual(createHash('blake2b512').update(message).digest());
  },
);

test('[I72] a shorter digest is not a prefix of a longer one', () => {
  expect(Buffer.from(blake2b(Buffer.from('abc'), 32)).toString('hex')).toBe(
    'bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319',
  );
});
