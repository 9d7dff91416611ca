const MIN_BYTES = 4_096;

/** Memory for the values of one page of a scan, used again for the next page. Grows to what a page takes. */
export class PassingBytes {
  #bytes = Buffer.alloc(0);
  #length = 0;

  /** Gives up what was copied so far. */
  reset(): void {
    this.#length = 0;
  }

  /** A copy that is good until `reset`. */
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
