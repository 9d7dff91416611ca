import { copyBytes } from '../kv/copy-bytes.ts';

const INITIAL_BYTES = 8_192;
const NOTHING: Buffer = Buffer.alloc(0);

/**
 * UTF-8 text that grows at its end, and is cut at either end. What is appended piece by piece as it stands in another text
 * is copied once, all together.
 */
export class PendingText {
  #bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  /** Of what has been copied. */
  #length = 0;
  /** What comes behind it, and is not copied yet: a range of this text. */
  #source = NOTHING;
  #sourceStart = 0;
  #sourceEnd = 0;

  /** Begins anew, in the same memory. */
  restart(text: string): void {
    this.#length = 0;
    this.#forgetSource();
    this.appendText(text);
  }

  get length(): number {
    return this.#length + this.#sourceEnd - this.#sourceStart;
  }

  appendByte(byte: number): void {
    // As good as its own, wherever it comes from.
    if (this.#source[this.#sourceEnd] === byte) {
      this.#sourceEnd += 1;
      return;
    }
    this.settle();
    this.#reserve(1);
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  /** The bytes must stay as they are until `settle` is called. */
  append(bytes: Buffer, start: number, end: number): void {
    if (bytes !== this.#source || start !== this.#sourceEnd) {
      this.settle();
      this.#source = bytes;
      this.#sourceStart = start;
    }
    this.#sourceEnd = end;
  }

  appendText(text: string): void {
    this.settle();
    const length = Buffer.byteLength(text);
    this.#reserve(length);
    this.#bytes.write(text, this.#length, 'utf8');
    this.#length += length;
  }

  /** Copies what has been appended, so that it lasts. */
  settle(): void {
    const start = this.#sourceStart;
    const end = this.#sourceEnd;
    if (start < end) {
      this.#reserve(end - start);
      copyBytes(this.#source, start, end, this.#bytes, this.#length);
      this.#length += end - start;
    }
    this.#forgetSource();
  }

  truncate(length: number): void {
    this.settle();
    this.#length = length;
  }

  dropFront(length: number): void {
    this.settle();
    this.#bytes.copyWithin(0, length, this.#length);
    this.#length -= length;
  }

  /** The bytes of a range; overwritten by what is appended later. */
  view(start: number, end: number): Buffer {
    this.settle();
    return this.#bytes.subarray(start, end);
  }

  text(): string {
    this.settle();
    return this.#bytes.toString('utf8', 0, this.#length);
  }

  #forgetSource(): void {
    this.#source = NOTHING;
    this.#sourceStart = 0;
    this.#sourceEnd = 0;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(2 * (this.#length + bytes));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
