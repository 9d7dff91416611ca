import { expect, test } from 'vitest';
import { isSpending, readPrices } from './budgets.tsx';

test('[C793] lines with a country and a price are read with common separators', () => {
  expect(readPrices('de 0,08\n\n FR: 0.1 \nUS=0')).toEqual({ DE: 0.08, FR: 0.1, US: 0 });
});

test.each([
  [{ perDay: 20, prices: { default: 0.1, DE: 0 } }, true],
  [{ perDay: Number.NaN, prices: { default: 0.1 } }, false],
  [{ perDay: 20, prices: { default: -1 } }, false],
  [{ perDay: 20, prices: { default: 0.1, GERMANY: 1 } }, false],
  [{ perDay: 20, prices: { default: 0.1, ...readPrices('DE') } }, false],
  [{ perDay: 1_000_001, prices: { default: 0.1 } }, false],
])('[C793] %j can be saved: %s', (spending, isValid) => {
  expect(isSpending(spending)).toBe(isValid);
});
