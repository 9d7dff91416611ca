import { decodeChildKey, NODE_ID_BYTES } from '../kv/keys.ts';
import { TEXT_MARK } from '../kv/sort-key.ts';

const FIRST_PIECE_BYTES = 2_000;
/** Longest piece, unless a single value is longer. */
const PIECE_BYTES = 65_536;

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Puts JSON text together as bytes, in pieces that belong to the receiver. */
export class JsonWriter {
  #piece = Buffer.allocUnsafe(FIRST_PIECE_BYTES);
  #length = 0;
  readonly #full: Buffer[] = [];

  /** Is there a piece to be taken? */
  get hasPiece(): boolean {
    return this.#full.length > 0;
  }

  /** The pieces that are full. */
  *take(): Generator<Buffer> {
    for (let piece = this.#full.shift(); piece !== undefined; piece = this.#full.shift()) yield piece;
  }

  /** All that is left. */
  *end(): Generator<Buffer> {
    this.#endPiece();
    yield* this.take();
  }

  /** One ASCII character. */
  writeByte(byte: number): void {
    this.#makeRoom(1);
    this.#piece[this.#length++] = byte;
  }

  writeText(text: string): void {
    this.writeBytes(Buffer.from(text), 0);
  }

  /** The bytes from an offset on. */
  writeBytes(bytes: Buffer, offset: number): void {
    const length = bytes.length - offset;
    if (length > PIECE_BYTES) {
      this.#endPiece();
      this.#full.push(Buffer.from(bytes.subarray(offset)));
      return;
    }
    this.#makeRoom(length);
    bytes.copy(this.#piece, this.#length, offset);
    this.#length += length;
  }

  /** The key of a child as the name of a member, from the key of its entry. Most need no decoding. */
  writeName(entryKey: Buffer): void {
    this.#makeRoom(entryKey.length + 3);
    if (!this.#copyName(entryKey)) this.writeText(`${JSON.stringify(decodeChildKey(entryKey))}:`);
  }

  /** Copies a name that is the same in JSON; `false` when it is not. */
  #copyName(entryKey: Buffer): boolean {
    if (entryKey[NODE_ID_BYTES] !== TEXT_MARK) return false;
    const piece = this.#piece;
    let at = this.#length;
    piece[at++] = QUOTE;
    for (let from = NODE_ID_BYTES + 1; from < entryKey.length; from += 1) {
      const byte = entryKey[from] ?? 0;
      if (byte >= 0x80 || byte === QUOTE || byte === BACKSLASH) return false;
      piece[at++] = byte;
    }
    piece[at++] = QUOTE;
    piece[at++] = COLON;
    this.#length = at;
    return true;
  }

  /** Ends the piece unless so many bytes fit into it; there are no more than a piece takes. */
  #makeRoom(bytes: number): void {
    if (this.#length + bytes > this.#piece.length) {
      this.#endPiece();
      this.#piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    }
  }

  #endPiece(): void {
    if (this.#length > 0) this.#full.push(this.#piece.subarray(0, this.#length));
    this.#piece = this.#piece.subarray(this.#length);
    this.#length = 0;
  }
}
