import { must } from '../error/assert.ts';
import type { Key } from './key.ts';

/** The 64 characters of a push key, in ASCII order. */
const ALPHABET = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
const TIME_CHARACTERS = 8;
const RANDOM_CHARACTERS = 12;

/** State of the previous key. It keeps the keys of one millisecond in order. */
export interface PushKeyState {
  readonly timeMs: number;
  /** Twelve digits of base 64. */
  readonly digits: readonly number[];
}

/**
 * Returns a key that sorts after the previous key, and its state. The key has eight characters of time and twelve
 * random characters. Within one millisecond, the random part counts up and `random` is not used. `random` holds at
 * least 12 bytes.
 */
export function pushKey(
  nowMs: number,
  random: Uint8Array,
  previous: PushKeyState | undefined,
): { readonly key: Key; readonly state: PushKeyState } {
  const timeMs = Math.max(nowMs, previous?.timeMs ?? 0);
  const next =
    previous?.timeMs === timeMs
      ? increment(previous.digits)
      : Array.from({ length: RANDOM_CHARACTERS }, (_, i) => (random[i] ?? 0) & 63);
  // The random part overflowed: use the next millisecond.
  if (next === undefined) return pushKey(timeMs + 1, random, undefined);
  let time = '';
  let rest = timeMs;
  for (let i = 0; i < TIME_CHARACTERS; i++) {
    time = character(rest % 64) + time;
    rest = Math.floor(rest / 64);
  }
  return { key: (time + next.map(character).join('')) as Key, state: { timeMs, digits: next } };
}

function increment(digits: readonly number[]): readonly number[] | undefined {
  const next = [...digits];
  for (let i = next.length - 1; i >= 0; i--) {
    const digit = next[i] ?? 0;
    if (digit < 63) {
      next[i] = digit + 1;
      return next;
    }
    next[i] = 0;
  }
  return undefined;
}

function character(digit: number): string {
  return must(ALPHABET[digit], 'a base-64 digit is below 64');
}
