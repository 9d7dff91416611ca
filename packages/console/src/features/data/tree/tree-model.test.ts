import { expect, test } from 'vitest';
import type { ChildPage } from '../../../server/data.ts';
import { pathOf } from '../model/node-path.ts';
import type { ChildSource } from './child-source.ts';
import { TreeModel } from './tree-model.ts';
import { findRow } from './tree-rows.ts';

const ROOT = pathOf(['rooms']);

const PAGE: ChildPage = {
  node: { kind: 'object', childCount: 1, priority: null },
  children: [{ key: 'lobby', kind: 'boolean', value: true, priority: null }],
  previous: null,
  next: null,
};

/** A source of which one page may be known, and which notes what is read. */
function openSource(known: ChildPage | undefined) {
  const read: string[] = [];
  const source: ChildSource = {
    takeKnown: ({ path }) => (path === ROOT ? known : undefined),
    read: async ({ path }) => {
      read.push(path);
      return PAGE;
    },
    async *follow() {},
  };
  return { source, read };
}

test('[C398] a page that is known already is there from the beginning, and not read', () => {
  const { source, read } = openSource(PAGE);
  using model = new TreeModel(ROOT, source);
  expect(findRow(model.rows, 0)).toMatchObject({ kind: 'node', path: '/rooms/lobby' });
  model.start();
  expect(read).toEqual([]);
});

test('[C398] a page that is not known is read', async () => {
  const { source, read } = openSource(undefined);
  using model = new TreeModel(ROOT, source);
  expect(findRow(model.rows, 0)).toMatchObject({ kind: 'unread' });
  model.start();
  expect(read).toEqual(['/rooms']);
  await expect.poll(() => findRow(model.rows, 0)).toMatchObject({ kind: 'node', path: '/rooms/lobby' });
});
