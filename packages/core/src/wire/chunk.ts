import { Refusal } from '../fault/refusal.ts';

/** Longest segment in UTF-16 code units. */
export const SEGMENT_UNITS = 16_384;

/** A count of segments has at most four digits: some clients take longer numbers for data. */
const MAX_SEGMENTS = 9_999;

/** What a client sends to keep its connection alive. It is neither a count nor a message. */
const KEEPALIVE = '0';

const COUNT = /^[0-9]{1,6}$/;

/**
 * The text frames that carry one message: itself when it is short, else the decimal number of segments and
 * then the segments, none of which ends within a surrogate pair.
 */
export function splitMessage(text: string): readonly string[] {
  if (text.length <= SEGMENT_UNITS) return [text];
  // One unit is left over per segment, for the pair that must not be cut.
  const size = Math.max(SEGMENT_UNITS, Math.ceil(text.length / (MAX_SEGMENTS - 1)) + 1);
  const segments: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + size, text.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--;
    segments.push(text.slice(start, end));
    start = end;
  }
  return [String(segments.length), ...segments];
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

/** Puts the frames that one peer sends together to messages. */
export class MessageAssembler {
  readonly #maxUnits: number;
  /** Made when a message comes in parts, which is rare. */
  #segments: string[] | undefined;
  #units = 0;
  #awaited = 0;

  /** A message of more than `maxUnits` UTF-16 code units is refused. */
  constructor(maxUnits: number) {
    this.#maxUnits = maxUnits;
  }

  /** Length of what has come of a message that is not complete, in UTF-16 code units. */
  get unfinishedUnits(): number {
    return this.#units;
  }

  /**
   * Takes one text frame. Returns a message when the frame completes one. Refuses with `write/too-big` a message
   * beyond the bound, from its count on; after that the connection cannot go on.
   */
  accept(frame: string): string | undefined {
    if (this.#awaited === 0) return this.#acceptFirst(frame);
    this.#units += frame.length;
    if (this.#units > this.#maxUnits) throw new Refusal('write/too-big');
    this.#segments ??= [];
    this.#segments.push(frame);
    if (--this.#awaited > 0) return undefined;
    const text = this.#segments.join('');
    this.#segments = undefined;
    this.#units = 0;
    return text;
  }

  #acceptFirst(frame: string): string | undefined {
    if (frame === KEEPALIVE) return undefined;
    if (!COUNT.test(frame)) {
      if (frame.length > this.#maxUnits) throw new Refusal('write/too-big');
      return frame;
    }
    const count = Number(frame);
    // A segment may be short, so the count alone is judged as leniently as the bound allows.
    if (count === 0 || (count - 1) * SEGMENT_UNITS > this.#maxUnits) throw new Refusal('write/too-big');
    this.#awaited = count;
    return undefined;
  }
}
