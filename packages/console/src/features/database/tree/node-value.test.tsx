import { expect, test } from 'vitest';
import { mountView } from '../../../ui/mounted-view.fixture.tsx';
import { NodeValue } from './node-value.tsx';

test.each([
  [1, false, '1 child'],
  [288, false, '288 children'],
  [1_000, false, '1,000 children'],
  [1_000, true, '1,000+ children'],
])(
  '[C460] a row with childCount %d and isCountPartial %s shows “%s”',
  async (childCount, isCountPartial, text) => {
    const node = { key: 'a', kind: 'object', childCount, isCountPartial, priority: null } as const;
    const view = await mountView(<NodeValue node={node} isOpen={false} />);
    await expect.poll(() => view.textContent?.trim()).toBe(text);
  },
);
