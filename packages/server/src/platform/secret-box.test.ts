import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomBytes } from './random.ts';
import { secretBox, UnsealFailure } from './secret-box.ts';
import { secretKey } from './secret-key.ts';

const KEY = secretKey(new Uint8Array(32).fill(1));
const box = secretBox(KEY, randomBytes);

test('[I92] a sealed secret opens again, also after a restart', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (bytes, context) => {
      const sealed = box.seal(bytes, context);
      expect(sealed).toMatch(/^[\w-]+$/);
      expect(new Uint8Array(secretBox(KEY, randomBytes).open(sealed, context))).toEqual(bytes);
    }),
  );
  expect(box.open(box.seal('ключ', 'a'), 'a').toString()).toBe('ключ');
});

test('[I92] sealing the same secret twice gives different texts', () => {
  expect(box.seal('a', 'b')).not.toBe(box.seal('a', 'b'));
});

test('[I92] a sealed secret does not open under another key or context', () => {
  const sealed = box.seal('secret', 'totp/jack');
  const other = secretBox(secretKey(new Uint8Array(32).fill(2)), randomBytes);
  expect(() => other.open(sealed, 'totp/jack')).toThrow(UnsealFailure);
  expect(() => box.open(sealed, 'totp/jill')).toThrow(
    'The secret "totp/jill" cannot be opened with this key.',
  );
});

test('[I92] a sealed secret with any changed byte does not open', () => {
  const sealed = Buffer.from(box.seal('secret', 'a'), 'base64url');
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => box.open(changed.toString('base64url'), 'a')).toThrow(UnsealFailure);
  }
});

test('[I92] arbitrary text cannot be opened', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(() => box.open(text, 'a')).toThrow(UnsealFailure);
    }),
  );
  for (let length = 0; length < 40; length++)
    expect(() => box.open(Buffer.alloc(length, 1).toString('base64url'), 'a')).toThrow(UnsealFailure);
});
