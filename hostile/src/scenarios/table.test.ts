import { expect, test } from 'vitest';
import { formatPage } from './document.ts';
import { SCENARIOS } from './table.ts';

test('[P70] each scenario has a name of its own', () => {
  const names = SCENARIOS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('[P70] each scenario is proven, or says why it cannot be', () => {
  for (const { name, proof, unproven, weakness } of SCENARIOS)
    expect([name, [proof, unproven, weakness].filter((given) => given !== undefined).length]).toEqual([
      name,
      1,
    ]);
});

test('[P70] a part of the scenarios runs in npm test', () => {
  const short = SCENARIOS.filter(({ isShort }) => isShort === true);
  expect(short.length).toBeGreaterThanOrEqual(5);
});

test('[P70] the document lists the scenarios; npm run hostile -- --table updates it', () => {
  const { current, updated } = formatPage(SCENARIOS);
  expect(current).toBe(updated);
});
