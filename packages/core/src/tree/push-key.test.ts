import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareKeys, parseKey } from './key.ts';
import { type PushKeyState, pushKey } from './push-key.ts';

const ALPHABET = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
const ZEROS = new Uint8Array(12);
const ONES = new Uint8Array(12).fill(255);

test.each([
  [0, '--------'],
  [1, '-------0'],
  [63, '-------z'],
  [64, '------0-'],
  [64 ** 8 - 1, 'zzzzzzzz'],
])('[T43] the time %i is encoded as %s', (timeMs, prefix) => {
  expect(pushKey(timeMs, ZEROS, undefined).key).toBe(`${prefix}------------`);
  expect(pushKey(timeMs, ONES, undefined).key).toBe(`${prefix}zzzzzzzzzzzz`);
});

test('[T43] every push key has 20 characters of the alphabet, is a valid key, and encodes its time', () => {
  const bytes = fc.uint8Array({ minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 64 ** 8 - 1 }), bytes, (timeMs, random) => {
      const { key, state } = pushKey(timeMs, random, undefined);
      expect(key).toMatch(/^[-0-9A-Z_a-z]{20}$/);
      expect(parseKey(key)).toBe(key);
      expect([...key.slice(0, 8)].reduce((sum, character) => sum * 64 + ALPHABET.indexOf(character), 0)).toBe(
        timeMs,
      );
      expect(state.timeMs).toBe(timeMs);
    }),
  );
});

test('[T44] within one millisecond the random part counts up', () => {
  const first = pushKey(1000, new Uint8Array([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 63]), undefined);
  const second = pushKey(1000, ONES, first.state);
  const third = pushKey(1000, ONES, second.state);
  expect(first.key.slice(8)).toBe('----------0z');
  expect(second.key.slice(8)).toBe('----------1-');
  expect(third.key.slice(8)).toBe('----------10');
});

test('[T44] while the clock goes backwards, push keys use the latest time', () => {
  const first = pushKey(1000, ZEROS, undefined);
  const second = pushKey(900, ONES, first.state);
  const third = pushKey(1001, ZEROS, second.state);
  expect(second.key.slice(0, 8)).toBe(first.key.slice(0, 8));
  expect([first.key, second.key, third.key].toSorted(compareKeys)).toEqual([
    first.key,
    second.key,
    third.key,
  ]);
});

test('[T44][T45] for any clock and random bytes, each key sorts after the previous one', () => {
  const step = fc.tuple(
    fc.integer({ min: 1_000_000, max: 1_000_003 }),
    fc.oneof(fc.uint8Array({ minLength: 12, maxLength: 12 }), fc.constantFrom(ZEROS, ONES)),
  );
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 20 }), (steps) => {
      let state: PushKeyState | undefined;
      let last = '';
      for (const [nowMs, random] of steps) {
        const made = pushKey(nowMs, random, state);
        expect(last < made.key).toBe(true);
        expect(last === '' || compareKeys(last, made.key) < 0).toBe(true);
        last = made.key;
        state = made.state;
      }
    }),
  );
});

test('[T45] the key after the last key of a millisecond uses the next millisecond', () => {
  const last = pushKey(1000, ONES, undefined);
  const next = pushKey(1000, ZEROS, last.state);
  expect(next.key).toBe(pushKey(1001, ZEROS, undefined).key);
  expect(next.state.timeMs).toBe(1001);
  // The clock is now behind the keys. When it reaches 1001, the next key continues the existing keys of that
  // millisecond.
  expect(pushKey(1001, ONES, next.state).key.slice(8)).toBe('-----------0');
});
