import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineIndex } from './problems.ts';

test('[R3] the line and the column of an offset equal a count from the start of the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\u2028') }), (source) => {
      const lines = new LineIndex(source);
      let line = 1;
      let column = 1;
      for (let offset = 0; offset <= source.length; offset++) {
        expect(lines.positionOf(offset)).toEqual({ line, column });
        if (source[offset] === '\n') {
          line++;
          column = 1;
        } else column++;
      }
    }),
  );
});

test('[R281] a byte order mark takes no column', () => {
  const lines = new LineIndex('\ufeffa\nb');
  expect([0, 1, 2, 3].map((offset) => lines.positionOf(offset))).toEqual([
    { line: 1, column: 1 },
    { line: 1, column: 1 },
    { line: 1, column: 2 },
    { line: 2, column: 1 },
  ]);
});
