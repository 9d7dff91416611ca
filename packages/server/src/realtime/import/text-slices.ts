/** Length of a slice, in UTF-16 code units of a string or in bytes. */
export const SLICE_UNITS = 65_536;

const NOTHING = Buffer.alloc(0);

/** A text that is complete in memory, as bytes in UTF-8 that are taken in slices. */
export class TextSlices {
  readonly #text: string | Buffer;
  /** Number of code units of a string, or of bytes, that are encoded. */
  #encoded = 0;
  #bytes: Buffer = NOTHING;
  /** Whether these bytes end within their first token. */
  #isTokenCut = true;

  constructor(text: string | Buffer) {
    this.#text = text;
  }

  /** The encoded bytes that are not taken yet. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  /** Whether `bytes` are the last ones. */
  get isLast(): boolean {
    return this.#encoded === this.#text.length;
  }

  get isTaken(): boolean {
    return this.isLast && this.#bytes.length === 0;
  }

  /** Encodes the next slice, unless enough bytes for a step are left. */
  encode(): void {
    if (this.isLast || (this.#bytes.length > SLICE_UNITS && !this.#isTokenCut)) return;
    const text = this.#text;
    // A long token is copied with each slice, so the slices grow with it.
    const wanted = this.#encoded + Math.max(SLICE_UNITS, this.#bytes.length >> 2);
    if (typeof text === 'string') {
      const end = cutAt(text, wanted);
      const more = Buffer.from(text.slice(this.#encoded, end));
      this.#bytes = this.#bytes.length === 0 ? more : Buffer.concat([this.#bytes, more]);
      this.#encoded = end;
    } else {
      const end = Math.min(wanted, text.length);
      this.#bytes = text.subarray(this.#encoded - this.#bytes.length, end);
      this.#encoded = end;
    }
  }

  /** Removes bytes that were taken, possibly none. */
  take(count: number): void {
    this.#bytes = this.#bytes.subarray(count);
    this.#isTokenCut = count === 0;
  }
}

/** Returns a position near `at` at which no surrogate pair is divided. */
function cutAt(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000 ? at + 1 : at;
}
