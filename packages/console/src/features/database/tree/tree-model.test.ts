import { expect, test } from 'vitest';
import type { ChildPage, LivePage } from '../../../api/data.ts';
import { pathOf } from '../model/node-path.ts';
import type { ChildSource } from './branch.ts';
import { findRow } from './rows.ts';
import { TreeModel } from './tree-model.ts';

const ROOT = pathOf(['rooms']);

const PAGE: ChildPage = {
  node: { kind: 'object', childCount: 1, isCountPartial: false, priority: null },
  children: [{ key: 'lobby', kind: 'boolean', value: true, priority: null }],
  previous: null,
  next: null,
};

/** The child after a change by another user. */
const LATER = { key: 'lobby', kind: 'boolean', value: false, priority: null } as const;

/** Returns a source with an optional prefetched page, and the paths that are read from it. */
function openSource(known: ChildPage | undefined) {
  const read: string[] = [];
  const source: ChildSource = {
    takePrefetched: ({ path }) => (path === ROOT ? known : undefined),
    read: async ({ path }) => {
      read.push(path);
      return PAGE;
    },
    outline: async () => ({ count: 1, stride: 100, keys: [] }),
    async *follow() {},
  };
  return { source, read };
}

test('[C398] a prefetched page is shown immediately, and is not read', () => {
  const { source, read } = openSource(PAGE);
  using model = new TreeModel(ROOT, source);
  expect(findRow(model.rows, 0)).toMatchObject({ kind: 'node', path: '/rooms/lobby' });
  model.start();
  expect(read).toEqual([]);
});

test('[C398] a page that was not prefetched is read', async () => {
  const { source, read } = openSource(undefined);
  using model = new TreeModel(ROOT, source);
  expect(findRow(model.rows, 0)).toMatchObject({ kind: 'unread' });
  model.start();
  expect(read).toEqual(['/rooms']);
  await expect.poll(() => findRow(model.rows, 0)).toMatchObject({ kind: 'node', path: '/rooms/lobby' });
});

test('[C437] a response that was in flight when a stream reported a change of its page is not shown', async () => {
  const responses: PromiseWithResolvers<ChildPage>[] = [];
  const events: PromiseWithResolvers<LivePage>[] = [];
  const next = <T>(all: PromiseWithResolvers<T>[]): Promise<T> => {
    const one = Promise.withResolvers<T>();
    all.push(one);
    return one.promise;
  };
  using model = new TreeModel(ROOT, {
    read: () => next(responses),
    outline: async () => ({ count: 1, stride: 100, keys: [] }),
    async *follow() {
      while (true) yield await next(events);
    },
  });
  const shown = () => findRow(model.rows, 0);
  model.start();
  responses[0]?.resolve(PAGE);
  await expect.poll(() => events.length).toBe(1);
  model.refresh();
  expect(responses.length).toBe(2);
  events[0]?.resolve({ ...PAGE, children: [LATER], changed: ['lobby'] });
  await expect.poll(shown).toMatchObject({ node: { value: false } });
  responses[1]?.resolve(PAGE);
  // Any effect of the response would be visible after this.
  await new Promise((resolve) => setTimeout(resolve));
  expect(shown()).toMatchObject({ node: { value: false } });
});
