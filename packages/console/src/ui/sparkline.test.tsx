import { expect, test } from 'vitest';
import { mountView } from './mounted-view.fixture.tsx';
import { linePath, Sparkline } from './sparkline.tsx';

test.each([
  [[], ''],
  [[null, null], ''],
  [[0, 1, 2], 'M0 96L1 95L2 94'],
  [[1, null, 2, 2], 'M0 95h0M2 94L3 94'],
  [[null, 3], 'M1 93h0'],
])('[C464] the line of %j has a gap where there is no value', (values, path) => {
  expect(linePath(values, 1)).toBe(path);
});

const LINES = [
  { values: [0, 10, 5], color: 'red' },
  { values: [null, 2, null], color: 'blue' },
];

test('[C464] a sparkline is an image with a name, and has one scale for all lines', async () => {
  const view = await mountView(<Sparkline label="Reads: now 5/s" lines={LINES} heightPx={48} />);
  await expect
    .poll(() => view.querySelector('[role=img]')?.getAttribute('aria-label'))
    .toBe('Reads: now 5/s');
  const lines = [...view.querySelectorAll('path[fill=none]')].map((path) => path.getAttribute('d'));
  expect(lines).toEqual(['M0 96L1 4L2 50', 'M1 77.6h0']);
});

test('[C464] without values, a sparkline is empty', async () => {
  const view = await mountView(
    <Sparkline label="Nothing" lines={[{ values: [], color: 'red' }]} heightPx={48} />,
  );
  await expect.poll(() => view.querySelector('svg')?.getBoundingClientRect().height).toBe(48);
  expect(view.querySelector('path[fill=none]')?.getAttribute('d')).toBe('');
});

test('[C464] in Arabic, time runs from left to right', async () => {
  const line = { values: [1, null, 2], color: 'red' };
  const view = await mountView(<Sparkline label="x" lines={[line]} heightPx={48} />, {
    language: 'ar',
    scheme: 'dark',
  });
  await expect.poll(() => view.querySelector('path[fill=none]')).not.toBeNull();
  const { left, right } = view.querySelector('svg')?.getBoundingClientRect() ?? {};
  const drawn = view.querySelector('path[fill=none]')?.getBoundingClientRect();
  expect(drawn?.left).toBeCloseTo(left ?? Number.NaN, 0);
  expect(drawn?.right).toBeCloseTo(right ?? Number.NaN, 0);
  expect(view.querySelector('path[fill=none]')?.getAttribute('d')).toBe('M0 50h0M2 4h0');
});
