import { expect, test } from 'vitest';
import type { ChildPage, LivePage } from '../../../api/data.ts';
import { pathOf } from '../model/node-path.ts';
import type { ChildSource } from './branch.ts';
import { findRow } from './rows.ts';
import { TreeModel } from './tree-model.ts';

const ROOT = pathOf(['rooms']);

const PAGE: ChildPage = {
  node: { kind: 'object', childCount: 1, priority: null },
  children: [{ key: 'lobby', kind: 'boolean', value: true, priority: null }],
  previous: null,
  next: null,
};

/** The one child after somebody has changed it. */
const LATER = { key: 'lobby', kind: 'boolean', value: false, priority: null } as const;

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

test('[C437] an answer that was under way when a stream told of its page is not shown', async () => {
  const answers: PromiseWithResolvers<ChildPage>[] = [];
  const events: PromiseWithResolvers<LivePage>[] = [];
  const next = <T>(all: PromiseWithResolvers<T>[]): Promise<T> => {
    const one = Promise.withResolvers<T>();
    all.push(one);
    return one.promise;
  };
  using model = new TreeModel(ROOT, {
    read: () => next(answers),
    async *follow() {
      while (true) yield await next(events);
    },
  });
  const shown = () => findRow(model.rows, 0);
  model.start();
  answers[0]?.resolve(PAGE);
  await expect.poll(() => events.length).toBe(1);
  model.refresh();
  expect(answers.length).toBe(2);
  events[0]?.resolve({ ...PAGE, children: [LATER], changed: ['lobby'] });
  await expect.poll(shown).toMatchObject({ node: { value: false } });
  answers[1]?.resolve(PAGE);
  // Whatever would come of it has come by then.
  await new Promise((resolve) => setTimeout(resolve));
  expect(shown()).toMatchObject({ node: { value: false } });
});
