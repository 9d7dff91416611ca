import { keyArbitrary } from '@hearth/core/tree/node.arbitrary.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keysOf, pathOf } from '../model/node-path.ts';
import { MAX_OPEN_LENGTH, printOpenNodes, readOpenNodes } from './use-tree.ts';

test('[C343] open nodes are restored from the address', () => {
  const path = fc.array(keyArbitrary, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(
      fc.array(keyArbitrary, { maxLength: 2 }),
      fc.uniqueArray(path, { maxLength: 5, selector: String }),
      (root, open) => {
        const paths = open.map((keys) => pathOf([...root, ...keys]));
        const text = printOpenNodes(pathOf(root), paths);
        fc.pre(encodeURIComponent(text ?? '').length < MAX_OPEN_LENGTH - 800);
        expect([...readOpenNodes(pathOf(root), text)].sort()).toEqual([...paths].sort());
      },
    ),
  );
});

test('[C343] if not all open nodes fit into the address, those nearest to the root are in it', () => {
  const near = Array.from({ length: 100 }, (_, index) => `/near-${index}`);
  const far = Array.from({ length: 100 }, (_, index) => `/near-0/far-${index}-${'x'.repeat(20)}`);
  const text = printOpenNodes('/', [...far, ...near]) ?? '';
  expect(encodeURIComponent(text).length).toBeLessThanOrEqual(MAX_OPEN_LENGTH);
  const read = readOpenNodes('/', text);
  expect(read.filter((path) => keysOf(path).length === 1)).toEqual(near);
  expect(read.length).toBeGreaterThan(near.length);
  expect(printOpenNodes('/', [])).toBeNull();
  expect(readOpenNodes('/', null)).toEqual([]);
});
