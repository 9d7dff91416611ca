import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RequestError } from '../error/request-error.ts';
import { MessageAssembler, SEGMENT_UNITS, splitMessage } from './frames.ts';

const PAIR = '\ud83d\ude00';

function assemble(frames: readonly string[], maxUnits = 1_000_000): readonly string[] {
  const assembler = new MessageAssembler(maxUnits);
  return frames.flatMap((frame) => assembler.accept(frame) ?? []);
}

function outcomeOf(frames: readonly string[], maxUnits: number): string {
  try {
    return `accepted: ${assemble(frames, maxUnits).length}`;
  } catch (error) {
    if (error instanceof RequestError) return error.code;
    throw error;
  }
}

describe('splitting', () => {
  test.each([
    [0, [0]],
    [1, [1]],
    [SEGMENT_UNITS, [SEGMENT_UNITS]],
    [SEGMENT_UNITS + 1, [1, SEGMENT_UNITS, 1]],
    [SEGMENT_UNITS * 2, [1, SEGMENT_UNITS, SEGMENT_UNITS]],
    [SEGMENT_UNITS * 3 + 5, [1, SEGMENT_UNITS, SEGMENT_UNITS, SEGMENT_UNITS, 5]],
  ])('[W17] a message of %i code units becomes frames of the lengths %j', (units, lengths) => {
    const frames = splitMessage('x'.repeat(units));
    expect(frames.map(({ length }) => length)).toEqual(lengths);
    if (frames.length > 1) expect(Number(frames[0])).toBe(frames.length - 1);
  });

  test('[W18] a segment ends before a surrogate pair that it would split', () => {
    const text = `${'x'.repeat(SEGMENT_UNITS - 1)}${PAIR}y`;
    expect(splitMessage(text)).toEqual(['2', 'x'.repeat(SEGMENT_UNITS - 1), `${PAIR}y`]);
  });

  test('[W17][W18] a split message is assembled again, and every segment has whole characters', () => {
    const units = fc.constantFrom('a', 'é', PAIR, '0');
    const texts = fc
      .tuple(
        fc.string({ unit: units, maxLength: 9 }),
        fc.integer({ min: 1, max: 12_000 }),
        fc.nat({ max: 3 }),
      )
      .map(([text, times, shift]) => 'z'.repeat(shift) + text.repeat(times));
    fc.assert(
      fc.property(texts, (text) => {
        const frames = splitMessage(text);
        for (const frame of frames) {
          expect(frame.length).toBeLessThanOrEqual(SEGMENT_UNITS);
          expect(frame.isWellFormed()).toBe(true);
        }
        expect((frames.length === 1 ? frames : frames.slice(1)).join('')).toBe(text);
      }),
      { numRuns: 50 },
    );
  });

  test('[W19] the longest messages have longer segments, and a count of at most four digits', () => {
    const text = 'x'.repeat(9_999 * SEGMENT_UNITS + 1);
    const [count = '', ...segments] = splitMessage(text);
    expect(count).toMatch(/^[0-9]{4}$/);
    expect(segments).toHaveLength(Number(count));
    expect(segments.reduce((sum, { length }) => sum + length, 0)).toBe(text.length);
  });
});

describe('assembling', () => {
  test.each<readonly [string, readonly string[], readonly string[]]>([
    ['[W13] a count and its segments give one message', ['3', '{"a"', ':', '1}'], ['{"a":1}']],
    ['[W13] messages follow each other', ['{}', '2', 'a', 'b', '[]', '1', 'c'], ['{}', 'ab', '[]', 'c']],
    ['[W14] a count may be one, and segments may be empty', ['1', '{}', '3', '', 'x', ''], ['{}', 'x']],
    ['[W15] segments may look like counts', ['2', '0', '17', '000002', 'a', 'b'], ['017', 'ab']],
    ['[W16] keepalives between messages are ignored', ['0', '{}', '0', '0'], ['{}']],
    [
      '[W13] a number of seven digits is not a count',
      ['1234567', '-1', '1.0', ' 1'],
      ['1234567', '-1', '1.0', ' 1'],
    ],
    ['[W13] an incomplete message is not returned', ['2', 'a'], []],
  ])('%s', (_title, frames, messages) => {
    expect(assemble(frames)).toEqual(messages);
  });

  test('[W17] the assembler accepts every split message', () => {
    const text = `${PAIR}x`.repeat(20_000);
    expect(assemble([...splitMessage(text), '0', ...splitMessage('short')])).toEqual([text, 'short']);
  });

  test.each([
    ['a message at the limit is accepted', ['x'.repeat(20_000)], 'accepted: 1'],
    ['a message above the limit is rejected', ['x'.repeat(20_001)], 'write/too-big'],
    ['segments at the limit are accepted', ['2', 'x'.repeat(16_000), 'x'.repeat(4000)], 'accepted: 1'],
    ['segments above the limit are rejected', ['2', 'x'.repeat(16_000), 'x'.repeat(4001)], 'write/too-big'],
    ['a first segment above the limit is rejected', ['2', 'x'.repeat(20_001)], 'write/too-big'],
    ['a count whose full segments exceed the limit is rejected', ['3'], 'write/too-big'],
    ['an enormous count is rejected', ['999999'], 'write/too-big'],
    ['a count of zero with two digits is rejected', ['00'], 'write/too-big'],
  ])('[W20][W21] %s', (_name, frames, outcome) => {
    expect(outcomeOf(frames, 20_000)).toBe(outcome);
  });
});
