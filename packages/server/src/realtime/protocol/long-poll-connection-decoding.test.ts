import { expect, test } from 'vitest';
import { decodeMessage } from './long-poll-connection.ts';

function encode(text: string): string {
  return Buffer.from(text).toString('base64').replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '.');
}

test.each(['', '{}', 'a', 'ab', 'abc', '🐵✔é', '~~~???>>>', 'x'.repeat(10_000)])(
  '[W138] the text %j is decoded, with and without padding',
  (text) => {
    expect(decodeMessage(encode(text), 10_000)).toBe(text);
    expect(decodeMessage(encode(text).replaceAll('.', ''), 10_000)).toBe(text);
  },
);

test.each(['a+b/', 'ab==', 'a.b', 'YQ...', ' YQ'])('[W140] the Base64 text %j is rejected', (text) => {
  expect(() => decodeMessage(text, 10)).toThrow(expect.objectContaining({ code: 'request/malformed' }));
});

test('[W141] a text at the size limit is accepted, and a longer text is rejected', () => {
  expect(decodeMessage(encode('✔'.repeat(10)), 10)).toHaveLength(10);
  expect(() => decodeMessage(encode('a'.repeat(11)), 10)).toThrow(
    expect.objectContaining({ code: 'write/too-big' }),
  );
});

test('[W156] half a surrogate pair, encoded as a character, becomes U+FFFD', () => {
  const bytes = Buffer.from([0x61, 0xed, 0xa0, 0xbd, 0x62]);
  expect(decodeMessage(bytes.toString('base64url'), 10)).toMatch(/^a\ufffd+b$/);
});
