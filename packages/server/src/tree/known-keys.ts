import { type Key, parseKey } from '@hearth/core/tree/key.ts';

const SLOTS = 256;
/** Longer names are hardly field names, which come again and again. */
const MAX_BYTES = 32;

interface KnownKey {
  /** In memory of its own: it is kept for long. */
  readonly bytes: Uint8Array;
  readonly key: Key;
}

/** Keys that were read before, found by their bytes: to decode and to check one costs more. Those of one slot replace each other. */
export class KnownKeys {
  readonly #slots: (KnownKey | undefined)[] = new Array(SLOTS).fill(undefined);

  /** As `parseKey`, of a name without escape sequences. */
  parse(bytes: Buffer, start: number, end: number): Key {
    const length = end - start;
    if (length === 0 || length > MAX_BYTES) return parseKey(bytes.toString('utf8', start, end));
    const slot = (length * 31 + (bytes[start] ?? 0) * 7 + (bytes[end - 1] ?? 0)) % SLOTS;
    const known = this.#slots[slot];
    if (known !== undefined && isSame(known.bytes, bytes, start, length)) return known.key;
    const key = parseKey(bytes.toString('utf8', start, end));
    this.#slots[slot] = { bytes: new Uint8Array(bytes.subarray(start, end)), key };
    return key;
  }
}

function isSame(known: Uint8Array, bytes: Buffer, start: number, length: number): boolean {
  if (known.length !== length) return false;
  for (let at = 0; at < length; at += 1) if (known[at] !== bytes[start + at]) return false;
  return true;
}
