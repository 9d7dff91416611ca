import { expect, test } from 'vitest';
import { encodeWebSocketMessage } from './outgoing-message.ts';

test.each([
  [0, '8100'],
  [1, '8101'],
  [125, '817d'],
  [126, '817e007e'],
  [127, '817e007f'],
  [255, '817e00ff'],
  [16_384, '817e4000'],
])('[L60] a text of %i bytes has the header %s', (length, header) => {
  const bytes = encodeWebSocketMessage('x'.repeat(length));
  expect(bytes.toString('latin1')).toBe(
    `${Buffer.from(header, 'hex').toString('latin1')}${'x'.repeat(length)}`,
  );
});

test('[L60] lengths are in bytes', () => {
  const text = '\u20ac'.repeat(16_384);
  const bytes = encodeWebSocketMessage(text);
  expect(bytes.subarray(0, 4).toString('hex')).toBe('817ec000');
  expect(bytes.subarray(4).toString()).toBe(text);
});

test('[L60][W17] a long message is one frame for its count and one for each segment', () => {
  const bytes = encodeWebSocketMessage('x'.repeat(16_385));
  const expected = ['810132', `817e4000${'78'.repeat(16_384)}`, '810178'].join('');
  expect(bytes.toString('hex')).toBe(expected);
});
