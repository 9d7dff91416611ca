import { expect, test } from 'vitest';
import { printable } from './terminal.ts';

test.each([
  ['a\u001b[1mb', 'a\ufffd[1mb'],
  ['a\u009bb', 'a\ufffdb'],
  ['user\u202egpj.exe', 'user\ufffdgpj.exe'],
  ['one\u2028two\u2029three', 'one\ufffdtwo\ufffdthree'],
  ['ad\u00admin', 'ad\ufffdmin'],
  ['Zo\u00eb \u{1f600} a b', 'Zo\u00eb \u{1f600} a b'],
])('[H293] %j is printed as %j', (text, printed) => {
  expect(printable(text)).toBe(printed);
});
