import { RequestError } from '../error/request-error.ts';

/** Maximum length of a segment, in UTF-16 code units. */
export const SEGMENT_UNITS = 16_384;

/**
 * Maximum number of segments of a message. The count has at most four digits, because some clients read
 * longer numbers as data.
 */
const MAX_SEGMENTS = 9_999;

/** The frame that a client sends to keep its connection alive. It is neither a count nor a message. */
const KEEPALIVE = '0';

const COUNT = /^[0-9]{1,6}$/;

/**
 * Splits a message into text frames. A short message is one frame. A longer one is the decimal number of
 * segments, followed by the segments. No segment ends inside a surrogate pair.
 */
export function splitMessage(text: string): readonly string[] {
  if (text.length <= SEGMENT_UNITS) return [text];
  // Reserves one code unit per segment for a surrogate pair that must not be split.
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

/** Assembles the frames of one peer into messages. */
export class MessageAssembler {
  readonly #maxUnits: number;
  /** Allocated only for messages in segments, which are rare. */
  #segments: string[] | undefined;
  #units = 0;
  #missingSegments = 0;

  /**
   * Sets the maximum length of a message, `maxUnits`, in UTF-16 code units. `accept` rejects longer messages.
   */
  constructor(maxUnits: number) {
    this.#maxUnits = maxUnits;
  }

  /** Received length of the incomplete message, in UTF-16 code units. */
  get unfinishedUnits(): number {
    return this.#units;
  }

  /**
   * Accepts one text frame. Returns a message when the frame completes one. Throws `write/too-big` as soon as the
   * count or the length of the segments shows that a message is beyond the limit. The connection is unusable after
   * that.
   */
  accept(frame: string): string | undefined {
    if (this.#missingSegments === 0) return this.#acceptFirst(frame);
    this.#units += frame.length;
    if (this.#units > this.#maxUnits) throw new RequestError('write/too-big');
    this.#segments ??= [];
    this.#segments.push(frame);
    if (--this.#missingSegments > 0) return undefined;
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
    // The last segment may be short, so the count is rejected only if full segments before it already exceed
    // the limit.
    if (count === 0 || (count - 1) * SEGMENT_UNITS > this.#maxUnits) throw new RequestError('write/too-big');
    this.#missingSegments = count;
    return undefined;
  }
}

/** A piece of a message from a long-polling client. */
export interface Segment {
  /** Index of the segment on its connection, from 0, across all messages. */
  readonly number: number;
  /** Number of segments of the message. */
  readonly count: number;
  /**
   * A part of the message's UTF-8 text in URL-safe Base64, padded with dots. The text may be split at any
   * character.
   */
  readonly data: string;
}

/** Maximum length of a segment of a long-polling client, in characters. Clients send at most 1,840. */
const MAX_SEGMENT_UNITS = 16_384;

/**
 * Maximum distance of a segment from the next expected one. Clients have two requests in flight, each with a
 * few dozen segments.
 */
const MAX_AHEAD = 256;

/** Memory overhead of a stored segment, in addition to its characters. */
const SEGMENT_OVERHEAD_UNITS = 32;

/**
 * Cost of one code unit of text: at most three bytes of UTF-8, which take four characters of Base64, plus the
 * overhead.
 */
const COST_PER_UNIT = 5;

const CHARACTERS = /^[A-Za-z0-9_.-]+$/;

/**
 * Assembles the segments of one client into messages in order. Segments may arrive in any order and more than
 * once.
 */
export class SegmentSequence {
  readonly #maxCost: number;
  readonly #outOfOrder = new Map<number, Segment>();
  #outOfOrderCost = 0;
  #next = 0;
  /** Pieces of the unfinished message, in order. */
  #pieces: string[] = [];
  #count = 0;
  #cost = 0;

  /**
   * Derives the cost limit from `maxUnits`, the maximum length of a message in UTF-16 code units. The limit
   * allows every message of that length in segments of the usual size. The caller checks the exact length
   * after decoding.
   */
  constructor(maxUnits: number) {
    this.#maxCost = maxUnits * COST_PER_UNIT;
  }

  /** Cost of the stored segments: their characters plus their overhead. */
  get unfinishedUnits(): number {
    return this.#cost + this.#outOfOrderCost;
  }

  /**
   * Accepts one segment and returns the messages that it completes, still encoded. Throws `request/malformed`
   * for segments that no client sends and `write/too-big` for a message beyond the limit. The connection is
   * unusable after that.
   */
  accept(segment: Segment): readonly string[] {
    requireValidSegment(segment);
    if (segment.number < this.#next || this.#outOfOrder.has(segment.number)) return [];
    if (segment.number - this.#next > MAX_AHEAD)
      throw new RequestError(
        'request/malformed',
        'The number of a segment is too far ahead of the next expected one.',
      );
    this.#outOfOrder.set(segment.number, segment);
    this.#outOfOrderCost += costOf(segment);
    return this.#takeInOrder();
  }

  #takeInOrder(): readonly string[] {
    const messages: string[] = [];
    for (
      let next = this.#outOfOrder.get(this.#next);
      next !== undefined;
      next = this.#outOfOrder.get(this.#next)
    ) {
      this.#outOfOrder.delete(this.#next++);
      this.#outOfOrderCost -= costOf(next);
      const message = this.#append(next);
      if (message !== undefined) messages.push(message);
    }
    return messages;
  }

  #append(segment: Segment): string | undefined {
    if (this.#pieces.length === 0) this.#count = segment.count;
    if (segment.count !== this.#count)
      throw new RequestError('request/malformed', 'All segments of a message must have the same "ts".');
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

function requireValidSegment({ number, count, data }: Segment): void {
  if (!Number.isSafeInteger(number) || !Number.isSafeInteger(count) || number < 0 || count < 1)
    throw new RequestError('request/malformed', 'A segment must have integers "seg" and "ts".');
  if (data.length > MAX_SEGMENT_UNITS || !CHARACTERS.test(data))
    throw new RequestError(
      'request/malformed',
      `A segment must be URL-safe Base64 of at most ${MAX_SEGMENT_UNITS} characters.`,
    );
}

function costOf(segment: Segment): number {
  return segment.data.length + SEGMENT_OVERHEAD_UNITS;
}
