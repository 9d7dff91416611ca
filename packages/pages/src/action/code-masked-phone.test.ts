import { expect, test } from 'vitest';
import { maskPhone } from './code.ts';

test.each([
  ['+1 650-555-1234', '•••• 1234'],
  ['+*******6789', '•••• 6789'],
])('[I161] %s is shown as %s', (number, shown) => {
  expect(maskPhone(number)).toBe(shown);
});
