import { RequestError } from '../error/request-error.ts';

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
    if (this.#units > this.#maxUnits) throw new RequestError('write/too-big');
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
      if (frame.length > this.#maxUnits) throw new RequestError('write/too-big');
      return frame;
    }
    const count = Number(frame);
    // A segment may be short, so the count alone is judged as leniently as the bound allows.
    if (count === 0 || (count - 1) * SEGMENT_UNITS > this.#maxUnits) throw new RequestError('write/too-big');
    this.#awaited = count;
    return undefined;
  }
}

/** A piece of a message of a long-polling client. */
export interface Segment {
  /** Counts all segments of a connection, from 0. */
  readonly number: number;
  /** Of how many segments its message is made. */
  readonly count: number;
  /** URL-safe Base64, padded with dots, of the message's UTF-8 text; cut anywhere. */
  readonly data: string;
}

/** Longest piece in characters. Clients send at most 1,840. */
const MAX_SEGMENT_UNITS = 16_384;

/** How far a segment may be ahead of the next one. Clients have two requests under way, each with a few dozen segments. */
const MAX_AHEAD = 256;

/** What keeping a segment costs beside its characters. */
const SEGMENT_OVERHEAD_UNITS = 32;

/** Three bytes in UTF-8 for a unit of text, four characters of Base64 for those, and the overhead. */
const COST_PER_UNIT = 5;

const CHARACTERS = /^[A-Za-z0-9_.-]+$/;

/** Puts the segments of one client, which come in any order and more than once, together to messages in order. */
export class SegmentSequence {
  readonly #maxCost: number;
  readonly #early = new Map<number, Segment>();
  #earlyCost = 0;
  #next = 0;
  /** Of the message that has begun. */
  #pieces: string[] = [];
  #count = 0;
  #cost = 0;

  /** A message of more than `maxUnits` UTF-16 code units is refused, sooner or later. */
  constructor(maxUnits: number) {
    this.#maxCost = maxUnits * COST_PER_UNIT;
  }

  /** Length of what is kept, in characters and with what keeping it costs. */
  get unfinishedUnits(): number {
    return this.#cost + this.#earlyCost;
  }

  /**
   * Takes one segment and returns the messages it completes, still encoded. Refuses with `request/malformed` what no client
   * sends and with `write/too-big` a message beyond the bound; after that the connection cannot go on.
   */
  accept(segment: Segment): readonly string[] {
    requireSensible(segment);
    if (segment.number < this.#next || this.#early.has(segment.number)) return [];
    if (segment.number - this.#next > MAX_AHEAD)
      throw new RequestError('request/malformed', 'A segment is too far ahead of those that are missing.');
    this.#early.set(segment.number, segment);
    this.#earlyCost += costOf(segment);
    return this.#takeEarly();
  }

  #takeEarly(): readonly string[] {
    const messages: string[] = [];
    for (let next = this.#early.get(this.#next); next !== undefined; next = this.#early.get(this.#next)) {
      this.#early.delete(this.#next++);
      this.#earlyCost -= costOf(next);
      const message = this.#append(next);
      if (message !== undefined) messages.push(message);
    }
    return messages;
  }

  #append(segment: Segment): string | undefined {
    if (this.#pieces.length === 0) this.#count = segment.count;
    if (segment.count !== this.#count)
      throw new RequestError('request/malformed', 'The segments of a message have the same "ts".');
    this.#pieces.push(segment.data);
    this.#cost += costOf(segment);
    if (this.#cost > this.#maxCost + SEGMENT_OVERHEAD_UNITS) throw new RequestError('write/too-big');
    if (this.#pieces.length < this.#count) return undefined;
    const message = this.#pieces.join('');
    this.#pieces = [];
    this.#cost = 0;
    return message;
  }
}

function requireSensible({ number, count, data }: Segment): void {
  if (!Number.isSafeInteger(number) || !Number.isSafeInteger(count) || number < 0 || count < 1)
    throw new RequestError('request/malformed', 'A segment has whole numbers "seg" and "ts".');
  if (data.length > MAX_SEGMENT_UNITS || !CHARACTERS.test(data))
    throw new RequestError(
      'request/malformed',
      `A segment has at most ${MAX_SEGMENT_UNITS} characters of URL-safe Base64.`,
    );
}

function costOf(segment: Segment): number {
  return segment.data.length + SEGMENT_OVERHEAD_UNITS;
}
