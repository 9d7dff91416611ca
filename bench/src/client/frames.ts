/**
 * The mask is fixed, because random masks would slow down the load generator and protect nothing on loopback.
 * It is not zero, because servers skip unmasking by zero.
 */
const MASK = [0x37, 0xfa, 0x21, 0x3d] as const;
const FINAL = 0x80;
const MASKED = 0x80;

/** WebSocket frame types that the bench uses (RFC 6455, section 5.2). */
export const OPCODE = { text: 1, close: 8, ping: 9, pong: 10 } as const;

/** Returns one masked, unfragmented frame, as a client sends it. Does not change `payload`. */
export function encodeClientFrame(payload: Buffer, opcode: number = OPCODE.text): Buffer {
  const header = encodeHeader(payload.length, opcode, MASKED);
  const frame = Buffer.allocUnsafe(header.length + MASK.length + payload.length);
  header.copy(frame);
  frame.set(MASK, header.length);
  const start = header.length + MASK.length;
  for (let index = 0; index < payload.length; index += 1) {
    frame[start + index] = (payload[index] ?? 0) ^ (MASK[index & 3] ?? 0);
  }
  return frame;
}

/** Returns one unmasked, unfragmented text frame, as a server sends it. */
export function encodeServerFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([encodeHeader(payload.length, OPCODE.text, 0), payload]);
}

function encodeHeader(length: number, opcode: number, maskBit: number): Buffer {
  if (length < 126) return Buffer.from([FINAL | opcode, maskBit | length]);
  if (length < 65_536) return Buffer.from([FINAL | opcode, maskBit | 126, length >> 8, length & 0xff]);
  const header = Buffer.alloc(10);
  header[0] = FINAL | opcode;
  header[1] = maskBit | 127;
  header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}

/** The position of a frame in a buffer of bytes from a server; `end` is the start of the next frame. */
export type FoundFrame = { readonly opcode: number; readonly start: number; readonly end: number };

/**
 * Finds the unmasked frame that begins at `offset`. Returns `undefined` if it has not arrived completely.
 * Throws if it is fragmented or masked.
 */
export function findServerFrame(bytes: Buffer, offset: number): FoundFrame | undefined {
  if (bytes.length < offset + 2) return undefined;
  const first = bytes.readUInt8(offset);
  const second = bytes.readUInt8(offset + 1);
  if ((first & FINAL) === 0 || (second & MASKED) !== 0)
    throw new Error('the server sent a fragmented or a masked frame');
  let length = second & 0x7f;
  let start = offset + 2;
  if (length === 126) {
    if (bytes.length < start + 2) return undefined;
    length = bytes.readUInt16BE(start);
    start += 2;
  } else if (length === 127) {
    if (bytes.length < start + 8) return undefined;
    length = Number(bytes.readBigUInt64BE(start));
    start += 8;
  }
  const end = start + length;
  return bytes.length < end ? undefined : { opcode: first & 0x0f, start, end };
}

/**
 * The longest text that the protocol sends in one frame, in UTF-16 code units. A longer message is sent as a
 * count, followed by that many frames.
 */
const SEGMENT_UNITS = 16_384;

/** Splits a message into the texts of its frames. Bench data is ASCII, so a cut never splits a character. */
export function splitMessage(text: string): readonly string[] {
  if (text.length <= SEGMENT_UNITS) return [text];
  const segments: string[] = [];
  for (let start = 0; start < text.length; start += SEGMENT_UNITS)
    segments.push(text.slice(start, start + SEGMENT_UNITS));
  return [String(segments.length), ...segments];
}

/** Returns the bytes of a message, as a client sends it. */
export function encodeMessage(text: string): Buffer {
  const frames = splitMessage(text).map((segment) => encodeClientFrame(Buffer.from(segment)));
  return frames.length === 1 && frames[0] !== undefined ? frames[0] : Buffer.concat(frames);
}

/** Joins the segments of one connection to messages. */
export class MessageAssembler {
  #missing = 0;
  #segments: string[] = [];

  /** Takes the text of the next frame. Returns a message when it is complete. */
  accept(text: string): string | undefined {
    if (this.#missing === 0) {
      if (!/^[0-9]{1,6}$/.test(text)) return text;
      this.#missing = Number(text);
      return undefined;
    }
    this.#segments.push(text);
    this.#missing -= 1;
    if (this.#missing > 0) return undefined;
    const message = this.#segments.join('');
    this.#segments = [];
    return message;
  }
}
