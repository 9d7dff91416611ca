import { parseQuery } from '@hearth/core/query/fields.ts';
import type { Entry } from '@hearth/core/query/query.ts';
import { parseKey } from '@hearth/core/tree/key.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Receiver } from '../../storage/transaction/transaction.ts';
import { ListenRegistry, type QuerySubscription } from './listens.ts';

const NO_PAYER = { pay: () => undefined };

const QUERY = parseQuery({ i: 'n', l: 2 });

function receiver(): Receiver {
  return { deliver: () => undefined, end: () => undefined };
}

test('[L52] the registry is empty after all listens are removed, in any order', () => {
  const path = fc.array(fc.constantFrom('a', 'b'), { maxLength: 3 }).map((keys) => parsePath(keys.join('/')));
  const listen = fc.record({ path, who: fc.nat({ max: 2 }), id: fc.constantFrom(null, 'q1', 'q2') });
  fc.assert(
    fc.property(fc.array(listen), fc.infiniteStream(fc.nat()), (listens, order) => {
      const registry = new ListenRegistry();
      const receivers = [receiver(), receiver(), receiver()];
      const removals: (() => void)[] = [];
      for (const { path, who, id } of listens) {
        const to = receivers[who] ?? receiver();
        if (id === null) {
          registry.addDefault(path, to);
          removals.push(() => registry.removeDefault(path, to));
        } else {
          const subscription = { receiver: to, tag: removals.length, payer: NO_PAYER };
          registry.addQuery(path, id, QUERY, [], subscription);
          removals.push(() => registry.removeQuery(path, id, subscription));
        }
      }
      while (removals.length > 0) {
        const [location] = order.take(1);
        for (const remove of removals.splice((location ?? 0) % removals.length, 1)) remove();
      }
      expect(registry.count).toBe(0);
      expect(
        [...registry.root.children].length + registry.root.defaults.size + registry.root.queries.size,
      ).toBe(0);
    }),
  );
});

test('[L52] the removal of an absent listen changes nothing', () => {
  const registry = new ListenRegistry();
  const to = receiver();
  registry.addDefault(parsePath('a/b'), to);
  registry.removeDefault(parsePath('a'), to);
  registry.removeDefault(parsePath('a/b/c'), to);
  registry.removeDefault(parsePath('a/b'), receiver());
  expect(
    registry.removeQuery(parsePath('a/b'), 'q', { receiver: to, tag: 1, payer: NO_PAYER }),
  ).toBeUndefined();
  expect(registry.count).toBe(1);
  registry.addDefault(parsePath('a/b'), to);
  expect(registry.count).toBe(1);
});

test('[L53] subscriptions to one query at one path share one query object and its window', () => {
  const registry = new ListenRegistry();
  const path = parsePath('a');
  const [first, second] = [
    { receiver: receiver(), tag: 1, payer: NO_PAYER },
    { receiver: receiver(), tag: 1, payer: NO_PAYER },
  ];
  registry.addQuery(path, 'q', QUERY, [], first);
  const query = registry.findQuery(path, 'q');
  registry.addQuery(path, 'q', QUERY, null, second);
  expect(registry.findQuery(path, 'q')).toBe(query);
  expect(query?.window).toEqual([]);
  expect([...(query?.subscriptions ?? [])]).toEqual([first, second]);
  registry.removeQuery(path, 'q', first);
  expect(registry.findQuery(path, 'q')).toBe(query);
  registry.removeQuery(path, 'q', second);
  expect(registry.findQuery(path, 'q')).toBeUndefined();
});

test('[L23] rolling back a removal restores the same query object', () => {
  const registry = new ListenRegistry();
  const path = parsePath('a/b');
  const subscription = { receiver: receiver(), tag: 1, payer: NO_PAYER };
  registry.addQuery(path, 'q', QUERY, [], subscription);
  const query = registry.removeQuery(path, 'q', subscription);
  expect(query).toBeDefined();
  if (query !== undefined) registry.restoreQuery(query, subscription);
  expect(registry.findQuery(path, 'q')).toBe(query);
  expect(registry.count).toBe(1);
  expect(query?.subscriptions.size).toBe(1);
});

/** Returns subscriptions whose payers record the number of entries that they pay for. */
function openPayers(count: number): readonly { readonly subscription: QuerySubscription; paid: number }[] {
  return Array.from({ length: count }, (_, tag) => {
    const payer = { subscription: { receiver: receiver(), tag, payer: { pay } }, paid: 0 };
    function pay(moreEntries: number): void {
      payer.paid += moreEntries;
    }
    return payer;
  });
}

function entries(count: number): readonly Entry[] {
  return Array.from({ length: count }, (_, index) => ({ key: parseKey(`k${index}`), value: null }));
}

test('[H548] one subscriber pays for the window of a query; when it leaves, another one does', () => {
  const registry = new ListenRegistry();
  const path = parsePath('a');
  const [first, second] = openPayers(2);
  if (first === undefined || second === undefined) throw new Error('There are two.');
  registry.addQuery(path, 'q', QUERY, entries(100), first.subscription);
  registry.addQuery(path, 'q', QUERY, null, second.subscription);
  expect([first.paid, second.paid]).toEqual([100, 0]);
  const query = registry.removeQuery(path, 'q', first.subscription);
  expect([first.paid, second.paid]).toEqual([0, 100]);
  if (query !== undefined) registry.restoreQuery(query, first.subscription);
  registry.removeQuery(path, 'q', second.subscription);
  expect([first.paid, second.paid]).toEqual([100, 0]);
  registry.removeQuery(path, 'q', first.subscription);
  expect([first.paid, second.paid]).toEqual([0, 0]);
});

test('[H548] a window that grows or shrinks by more than 64 entries is charged again', () => {
  const registry = new ListenRegistry();
  const path = parsePath('a');
  const [only] = openPayers(1);
  if (only === undefined) throw new Error('There is one.');
  registry.addQuery(path, 'q', QUERY, entries(10), only.subscription);
  const query = registry.findQuery(path, 'q');
  query?.setWindow(entries(74));
  expect(only.paid).toBe(10);
  query?.setWindow(entries(75));
  expect(only.paid).toBe(75);
  query?.setWindow([]);
  expect(only.paid).toBe(0);
});

test('[H548] the evaluation of a query in steps is charged to the subscriber that pays for its window', () => {
  const registry = new ListenRegistry();
  const path = parsePath('a');
  const [first, second] = openPayers(2);
  if (first === undefined || second === undefined) throw new Error('There are two.');
  registry.addQuery(path, 'q', QUERY, entries(10), first.subscription);
  registry.addQuery(path, 'q', QUERY, null, second.subscription);
  const query = registry.findQuery(path, 'q');
  query?.setScanned(500);
  expect([first.paid, second.paid]).toEqual([510, 0]);
  registry.removeQuery(path, 'q', first.subscription);
  expect([first.paid, second.paid]).toEqual([0, 510]);
  query?.setScanned(0);
  expect(second.paid).toBe(10);
});
