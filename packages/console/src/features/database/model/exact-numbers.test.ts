import { expect, test } from 'vitest';
import { findRoundedNumber, NumberScanner, RoundedNumber, requireExactNumbers } from './exact-numbers.ts';

test.each([
  ['1'],
  ['[1.50, -0, 1e300, 9007199254740993, -9223372036854775808]'],
  ['{"a":"12345678901234567890123","b\\"1e999":[true,false,null]}'],
  ['"12345678901234567890.5'],
  ['{"e":5,"E":"e"}'],
])('[C522] all digits of %s are stored', (text) => {
  expect(findRoundedNumber(text)).toBeUndefined();
});

test.each([
  ['12345678901234567890', '12345678901234567890'],
  ['{"a":[1, 0.12345678901234567891]}', '0.12345678901234567891'],
  ['{"a\\\\":1e400}', '1e400'],
  ['[-1e-400]', '-1e-400'],
])('[C522] a number of %s would be rounded', (text, number) => {
  expect(findRoundedNumber(text)).toBe(number);
});

test('[C522] a number is found wherever the parts of the text end', async () => {
  const text = '{"a\\"5":"x","b":123456789012345678901}';
  for (let cut = 1; cut < text.length; cut += 1) {
    const scanner = new NumberScanner();
    expect(() => {
      scanner.take(text.slice(0, cut));
      scanner.take(text.slice(cut));
      scanner.end();
    }).toThrow(RoundedNumber);
  }
  await expect(requireExactNumbers(new Blob([text]))).rejects.toThrow(RoundedNumber);
});

test('[C522] a very long number is shortened in the message', () => {
  expect(findRoundedNumber(`{"a":${'1'.repeat(5_000)}}`)).toBe(`${'1'.repeat(40)}…`);
});
