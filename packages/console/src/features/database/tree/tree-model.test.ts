import { describe, expect, test } from 'vitest';
import { incompleteResponse } from '../../../api/client.ts';
import type { ChildPage, LivePage, Outline } from '../../../api/data.ts';
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

describe('the number of children of the root', () => {
  const LARGE: ChildPage = {
    ...PAGE,
    node: { kind: 'object', childCount: 1_000, isCountPartial: true, priority: null },
    next: 'lobby',
  };

  /** An outline that a model has requested. */
  interface Asked {
    readonly onCount: (count: number) => void;
    readonly signal: AbortSignal;
    readonly outline: PromiseWithResolvers<Outline>;
  }

  function openLarge(known: ChildPage = LARGE) {
    const asked: Asked[] = [];
    const model = new TreeModel(ROOT, {
      takePrefetched: () => known,
      read: async () => known,
      outline(_path, onCount, signal) {
        const outline = Promise.withResolvers<Outline>();
        asked.push({ onCount, signal, outline });
        return outline.promise;
      },
      async *follow() {},
    });
    model.start();
    return { model, asked };
  }

  test('[C55] is that of the outline of a large node, which is read once', async () => {
    const { model, asked } = openLarge();
    using _ = model;
    expect(model.rootCount).toEqual({ kind: 'unknown' });
    asked[0]?.onCount(1_500);
    expect(model.rootCount).toEqual({ kind: 'counting', count: 1_500 });
    asked[0]?.outline.resolve({ count: 3_000, stride: 100, keys: [] });
    await expect.poll(() => model.rootCount).toMatchObject({ kind: 'counted', count: 3_000 });
    expect(model.rootCount).toBe(model.rootCount);
    expect(asked).toHaveLength(1);
  });

  test('[C55] a small node has no outline', () => {
    const { model, asked } = openLarge(PAGE);
    using _ = model;
    expect(model.rootCount).toEqual({ kind: 'not-outlined' });
    expect(asked).toEqual([]);
  });

  test('[C404] is kept when the outline is stopped, and the outline is read again on request', async () => {
    const { model, asked } = openLarge();
    using _ = model;
    asked[0]?.onCount(1_500);
    model.stopOutline();
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(model.rootCount).toEqual({ kind: 'stopped', count: 1_500 });
    model.refresh();
    expect(asked).toHaveLength(1);
    model.restartOutline();
    expect(model.rootCount).toEqual({ kind: 'unknown' });
    asked[1]?.outline.resolve({ count: 3_000, stride: 100, keys: [] });
    await expect.poll(() => model.rootCount).toMatchObject({ kind: 'counted', count: 3_000 });
  });

  test.each([
    ['ends early', incompleteResponse(), { kind: 'stopped', count: 1_500 }],
    ['fails', new Error('refused'), { kind: 'not-counted' }],
  ] as const)('[C404] an outline that %s leaves the number so far', async (_name, error, expected) => {
    const { model, asked } = openLarge();
    using _ = model;
    asked[0]?.onCount(1_500);
    asked[0]?.outline.reject(error);
    await expect.poll(() => model.rootCount).toEqual(expected);
  });
});
