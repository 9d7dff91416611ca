import { expect, test } from 'vitest';
import { decodeRegions, encodeRegions } from './countries.tsx';
import { withType } from './driver.tsx';
import { areTestNumbers, readTestNumbers } from './phone.tsx';
import { problemOf } from './text-messages.tsx';

test.each([
  ['+1 650 555 0100 123456', [['+16505550100', '123456']], true],
  [
    '+16505550100: 123456\n\n+16505550101=654321',
    [
      ['+16505550100', '123456'],
      ['+16505550101', '654321'],
    ],
    true,
  ],
  ['+16505550100', [['+16505550100', '']], false],
  ['16505550100 123456', [['16505550100', '123456']], false],
  ['+16505550100 12345', [['+16505550100', '12345']], false],
  ['', [], true],
])('[C543] the lines %j are fictional numbers %j', (text, numbers, areGood) => {
  expect(readTestNumbers(text)).toEqual(numbers);
  expect(areTestNumbers(readTestNumbers(text))).toBe(areGood);
});

test('[C543] at most ten fictional numbers can be saved', () => {
  const lines = Array.from({ length: 11 }, (_, index) => `+165055501${10 + index} 123456`);
  expect(areTestNumbers(readTestNumbers(lines.slice(1).join('\n')))).toBe(true);
  expect(areTestNumbers(readTestNumbers(lines.join('\n')))).toBe(false);
});

test.each([
  { kind: 'only', countries: ['DE'] },
  { kind: 'all-except', countries: [] },
] as const)('[C543] the countries %j stay the same in the configuration', (regions) => {
  expect(decodeRegions(encodeRegions(regions))).toEqual(regions);
});

test('[C543] another type of service keeps the members that both have, without the secret', () => {
  const twilio = { type: 'TWILIO', accountSid: 'AC1', from: 'Chess', secret: 'x' };
  expect(withType(twilio, 'VONAGE')).toEqual({ type: 'VONAGE', from: 'Chess' });
  expect(withType(twilio, 'WEBHOOK')).toEqual({ type: 'WEBHOOK', sendsCode: false });
  expect(withType(twilio, 'NONE')).toEqual({});
});

test.each([
  ['%CODE%', undefined],
  ['Welcome', 'no-code'],
  [`%CODE%${'x'.repeat(295)}`, 'too-long'],
])('[C544] the problem of the text %j is %j', (text, problem) => {
  expect(problemOf(text)).toBe(problem);
});
