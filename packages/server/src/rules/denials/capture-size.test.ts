import { parseKey } from '@hearth/core/tree/key.ts';
import { nodeArbitrary } from '@hearth/core/tree/node.arbitrary.ts';
import { innerNode, leafNode } from '@hearth/core/tree/node.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodeSize } from './capture.ts';

test('[R183] the size of a node is that of its keys and texts, plus a constant for each value', () => {
  const leaf = leafNode('x'.repeat(100));
  expect(nodeSize(null, 1_000)).toBe(0);
  expect(nodeSize(leaf, 1_000)).toBe(124);
  expect(nodeSize(innerNode([[parseKey('ab'), leaf]], 1), 1_000)).toBe(24 + 24 + 2 + 124);
});

test('[R183] `nodeSize` counts exactly below the limit, and stops at the limit', () => {
  fc.assert(
    fc.property(nodeArbitrary, fc.nat(300), (node, limit) => {
      const bytes = nodeSize(node, Number.POSITIVE_INFINITY);
      const counted = nodeSize(node, limit);
      if (bytes < limit) expect(counted).toBe(bytes);
      else expect(counted).toBeGreaterThanOrEqual(limit);
    }),
  );
});
