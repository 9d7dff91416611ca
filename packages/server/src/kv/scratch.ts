/** Longest bytes that fit: keys of the store and short values do. */
const MAX_BYTES = 2_048;

/**
 * Memory for bytes that nobody keeps, such as what is passed to `KvWrite.put`: the same again and again, where one for each
 * would be garbage at once.
 */
export class Scratch {
  readonly #memory = Buffer.allocUnsafeSlow(MAX_BYTES);
  /** By length, because to make one costs as much as to fill it. */
  readonly #views: (Buffer | undefined)[] = new Array(MAX_BYTES + 1).fill(undefined);

  /** So many bytes, good until the next call. */
  take(length: number): Buffer {
    if (length > MAX_BYTES) return Buffer.allocUnsafe(length);
    const known = this.#views[length];
    if (known !== undefined) return known;
    const view = this.#memory.subarray(0, length);
    this.#views[length] = view;
    return view;
  }
}

/** So many bytes in `scratch`, or of their own without one. */
export function takeBytes(length: number, scratch: Scratch | undefined): Buffer {
  return scratch === undefined ? Buffer.allocUnsafe(length) : scratch.take(length);
}
