/** Up to this length, copying byte by byte is faster than a call to `Buffer.copy`. */
const MAX_COPIED_SINGLY = 64;

/**
 * Copies bytes like `source.copy(target, offset, start, end)`, but faster for the few bytes of names and
 * values. All bytes must fit into `target`.
 */
export function copyBytes(source: Buffer, start: number, end: number, target: Buffer, offset: number): void {
  const length = end - start;
  if (length > MAX_COPIED_SINGLY) source.copy(target, offset, start, end);
  else for (let at = 0; at < length; at += 1) target[offset + at] = source[start + at] ?? 0;
}

/** Maximum length of a buffer in the reusable memory. Store keys and short values fit. */
const MAX_BYTES = 2_048;

/**
 * Reusable memory for bytes that are needed only until the next call of `take`, such as the arguments of
 * `KvWrite.put`. It avoids allocating a buffer for each of them.
 */
export class Scratch {
  readonly #memory = Buffer.allocUnsafeSlow(MAX_BYTES);
  /** Views by length. Creating a view costs as much as filling it. */
  readonly #views: (Buffer | undefined)[] = new Array(MAX_BYTES + 1).fill(undefined);

  /** Returns a buffer of this length, valid until the next call. */
  take(length: number): Buffer {
    if (length > MAX_BYTES) return Buffer.allocUnsafe(length);
    const known = this.#views[length];
    if (known !== undefined) return known;
    const view = this.#memory.subarray(0, length);
    this.#views[length] = view;
    return view;
  }
}

/** Returns a buffer of this length in `scratch`, or a new one if there is no `scratch`. */
export function takeBytes(length: number, scratch: Scratch | undefined): Buffer {
  return scratch === undefined ? Buffer.allocUnsafe(length) : scratch.take(length);
}

const MIN_BYTES = 4_096;

/**
 * Memory for the values of one page of a scan, reused for the next page. It grows to the size that a page
 * needs.
 */
export class ScanArena {
  #bytes = Buffer.alloc(0);
  #length = 0;

  /** Discards all copies made so far. */
  reset(): void {
    this.#length = 0;
  }

  /** Returns a copy that is valid until `reset`. */
  copy(bytes: Buffer): Buffer {
    const start = this.#length;
    const end = start + bytes.length;
    if (end > this.#bytes.length) {
      this.#bytes = Buffer.allocUnsafeSlow(Math.max(MIN_BYTES, 2 * this.#bytes.length, 2 * bytes.length));
      this.#length = 0;
      return this.copy(bytes);
    }
    bytes.copy(this.#bytes, start);
    this.#length = end;
    return this.#bytes.subarray(start, end);
  }
}
