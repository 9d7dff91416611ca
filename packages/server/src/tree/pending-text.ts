const INITIAL_BYTES = 8_192;
/** Up to this length, copying byte by byte is faster than to ask the platform for it. */
const MAX_COPIED_SINGLY = 64;

/** UTF-8 text that grows at its end, and is cut at either end. */
export class PendingText {
  #bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #length = 0;

  /** Begins anew, in the same memory. */
  restart(text: string): void {
    this.#length = 0;
    this.appendText(text);
  }

  get length(): number {
    return this.#length;
  }

  appendByte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  append(bytes: Buffer, start: number, end: number): void {
    const length = end - start;
    this.#reserve(length);
    const target = this.#bytes;
    const offset = this.#length;
    if (length > MAX_COPIED_SINGLY) bytes.copy(target, offset, start, end);
    else for (let at = 0; at < length; at += 1) target[offset + at] = bytes[start + at] ?? 0;
    this.#length = offset + length;
  }

  appendText(text: string): void {
    const length = Buffer.byteLength(text);
    this.#reserve(length);
    this.#bytes.write(text, this.#length, 'utf8');
    this.#length += length;
  }

  truncate(length: number): void {
    this.#length = length;
  }

  dropFront(length: number): void {
    this.#bytes.copyWithin(0, length, this.#length);
    this.#length -= length;
  }

  /** The bytes of a range; overwritten by what is appended later. */
  view(start: number, end: number): Buffer {
    return this.#bytes.subarray(start, end);
  }

  text(): string {
    return this.#bytes.toString('utf8', 0, this.#length);
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(2 * (this.#length + bytes));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
