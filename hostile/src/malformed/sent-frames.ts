/** The part of WebSocket that the attacks need: frames of a client with the mask 0, which leaves the payload as it is. */
const TEXT = 0x81;
const BINARY = 0x82;
const PING = 0x89;
const CLOSE = 0x8;
const PONG = 0xa;
const MASKED = 0x80;

/** Returns a frame of a client. A string becomes a text frame. */
export function encodeFrame(payload: string | Buffer): Buffer {
  return frameOf(typeof payload === 'string' ? TEXT : BINARY, Buffer.from(payload));
}

/** Returns a ping, which a server answers after it has accepted the frames before it. */
export function encodePing(): Buffer {
  return frameOf(PING, Buffer.alloc(0));
}

function frameOf(first: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 6 : length < 65_536 ? 8 : 14);
  head[0] = first;
  if (length < 126) head[1] = MASKED | length;
  else if (length < 65_536) {
    head[1] = MASKED | 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = MASKED | 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, payload]);
}

/** Reads the frames of a server: counts its pongs, and collects the text of the others up to a limit. */
export class FrameReader {
  pongs = 0;
  /** Whether the server has said that it closes the connection. It then waits for the client to do the same. */
  isClosing = false;
  text = '';
  readonly #maxText: number;
  #rest: Buffer = Buffer.alloc(0);

  constructor(maxText: number) {
    this.#maxText = maxText;
  }

  push(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const frame = this.#take();
      if (frame === undefined) return;
      if (frame.opcode === PONG) this.pongs += 1;
      else if (frame.opcode === CLOSE) this.isClosing = true;
      else if (this.text.length < this.#maxText) this.text += frame.payload.toString('latin1');
    }
  }

  #take(): { readonly opcode: number; readonly payload: Buffer } | undefined {
    const rest = this.#rest;
    const [first = 0, short = 0] = rest;
    const headLength = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (rest.length < headLength) return undefined;
    const length =
      short < 126 ? short : short === 126 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
    const end = headLength + length;
    if (rest.length < end) return undefined;
    this.#rest = rest.subarray(end);
    return { opcode: first & 0xf, payload: rest.subarray(headLength, end) };
  }
}
