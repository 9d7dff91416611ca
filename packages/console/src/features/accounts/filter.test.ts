import { expect, test } from 'vitest';
import { filterOf, isFiltered, parseChosen, withChosen } from './filter.ts';

const DAY_MS = 86_400_000;

test('[C910] the filter is in the address, and unknown values of it are ignored', () => {
  const chosen = { state: 'disabled', provider: 'google.com', claim: 'role=editor', seen: 'not30d' } as const;
  const address = withChosen(new URLSearchParams('order=seen&q=ann'), chosen);
  expect(address.toString()).toBe(
    'order=seen&q=ann&state=disabled&provider=google.com&claim=role%3Deditor&seen=not30d',
  );
  expect(parseChosen(address)).toEqual(chosen);
  expect(withChosen(address, {}).toString()).toBe('order=seen&q=ann');
  expect(parseChosen(new URLSearchParams('state=x&seen=2d&claim=%20'))).toEqual({});
  expect(isFiltered({})).toBe(false);
});

test.each([
  ['7d', { seenFrom: 93 * DAY_MS }],
  ['not30d', { seenTo: 70 * DAY_MS }],
  ['never', { seen: 'never' }],
] as const)('[C910] the period %s of a filter', (seen, query) => {
  expect(filterOf({ seen, state: 'enabled' }, 100 * DAY_MS)).toEqual({ state: 'enabled', ...query });
});
