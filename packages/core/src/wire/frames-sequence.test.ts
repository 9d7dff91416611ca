import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RequestError } from '../error/request-error.ts';
import { type Segment, SegmentSequence } from './frames.ts';

/** Returns the segments of messages. Each message is given as a list of pieces. */
function segmentsOf(...messages: readonly (readonly string[])[]): readonly Segment[] {
  let number = 0;
  return messages.flatMap((pieces) =>
    pieces.map((data) => ({ number: number++, count: pieces.length, data })),
  );
}

function accept(segments: readonly Segment[], maxUnits = 1_000): readonly string[] {
  const sequence = new SegmentSequence(maxUnits);
  return segments.flatMap((segment) => sequence.accept(segment));
}

function requestErrorOf(segments: readonly Segment[], maxUnits = 1_000): string {
  try {
    return `accepted: ${accept(segments, maxUnits).length}`;
  } catch (error) {
    return error instanceof RequestError ? error.code : String(error);
  }
}

describe('messages in segments', () => {
  test('[W138] messages of one and of several segments are assembled', () => {
    expect(accept(segmentsOf(['aa'], ['b', 'c', 'd.'], ['e..']))).toEqual(['aa', 'bcd.', 'e..']);
  });

  test('[W139] a segment waits for the earlier segments, and a repeated segment is ignored', () => {
    const [a, b, c, d] = segmentsOf(['a'], ['b', 'c'], ['d']);
    const sequence = new SegmentSequence(1_000);
    const order = [d, d, b, c, a, a, d, c];
    const taken = order.map((segment) => (segment === undefined ? [] : sequence.accept(segment)));
    expect(taken).toEqual([[], [], [], [], ['a', 'bc', 'd'], [], [], []]);
    expect(sequence.unfinishedUnits).toBe(0);
  });

  test('[W139] segments in any order give the messages in order', () => {
    const piece = fc.stringMatching(/^[A-Za-z0-9_-]{1,8}$/);
    const cut = fc.array(fc.array(piece, { minLength: 1, maxLength: 4 }), { maxLength: 30 });
    fc.assert(
      fc.property(
        cut.chain((messages) => {
          const segments = segmentsOf(...messages);
          const order = fc.shuffledSubarray([...segments, ...segments], { minLength: segments.length * 2 });
          return fc.tuple(fc.constant(messages), order);
        }),
        ([messages, order]) => {
          expect(accept(order)).toEqual(messages.map((pieces) => pieces.join('')));
        },
      ),
    );
  });

  test.each<readonly [string, Segment]>([
    ['no number', { number: Number.NaN, count: 1, data: 'a' }],
    ['a negative number', { number: -1, count: 1, data: 'a' }],
    ['a number with a fraction', { number: 0.5, count: 1, data: 'a' }],
    ['a number above the safe integers', { number: 2 ** 53, count: 1, data: 'a' }],
    ['a message without segments', { number: 0, count: 0, data: 'a' }],
    ['no count', { number: 0, count: Number.NaN, data: 'a' }],
    ['empty data', { number: 0, count: 1, data: '' }],
    ['other characters', { number: 0, count: 1, data: 'a+b' }],
    ['a piece that is too long', { number: 0, count: 1, data: 'a'.repeat(16_385) }],
    ['a number far ahead', { number: 257, count: 1, data: 'a' }],
  ])('[W140] %s is rejected', (_name, segment) => {
    expect(requestErrorOf([segment], 1e9)).toBe('request/malformed');
  });

  test('[W140] segments of one message with different counts are rejected', () => {
    const [first, second] = segmentsOf(['a', 'b']);
    if (first === undefined || second === undefined) throw new Error('no segments');
    expect(requestErrorOf([first, { ...second, count: 3 }])).toBe('request/malformed');
  });

  test('[W140] a segment at the limits is accepted', () => {
    expect(requestErrorOf([{ number: 256, count: 1, data: 'a'.repeat(16_384) }])).toBe('accepted: 0');
    expect(requestErrorOf([{ number: 0, count: 1, data: 'a'.repeat(4_000) }], 1_000)).toBe('accepted: 1');
  });

  test('[W141] a message above the limit, or of too many tiny segments, is rejected before it is complete', () => {
    const long = Array.from({ length: 4 }, (_, number) => ({ number, count: 9, data: 'a'.repeat(2_000) }));
    expect(requestErrorOf(long)).toBe('write/too-big');
    const tiny = Array.from({ length: 200 }, (_, number) => ({ number, count: 999, data: 'a' }));
    expect(requestErrorOf(tiny)).toBe('write/too-big');
  });

  test('[W141] the cost of the stored segments is counted', () => {
    const sequence = new SegmentSequence(1_000);
    sequence.accept({ number: 1, count: 2, data: 'abc' });
    sequence.accept({ number: 2, count: 1, data: 'abc' });
    expect(sequence.unfinishedUnits).toBe(2 * 35);
    sequence.accept({ number: 0, count: 2, data: 'abc' });
    expect(sequence.unfinishedUnits).toBe(0);
  });
});
