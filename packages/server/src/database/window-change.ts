import { type Entry, isInRange, type Query } from '@hearth/core/query/query.ts';
import { applyToWindow, type TouchedChild, type WindowChange } from '@hearth/core/query/window.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { QueryListen } from './listen-registry.ts';
import type { TreeView } from './tree-view.ts';

/** Places of children under a query's index; `null` for a child that is not there. */
export type Places = ReadonlyMap<Key, Entry | null>;

/** The places of children as `view` has them. */
export function readPlaces(view: TreeView, { path, query }: QueryListen, keys: Iterable<Key>): Places {
  const places = new Map<Key, Entry | null>();
  for (const key of keys) places.set(key, view.findEntry(path, key, query.index));
  return places;
}

/**
 * What a commit did to what a query shows: the children of `before` are those that it touched, at the places they had;
 * `view` is the state after it. The `window` of the change is empty for a query without a limit.
 */
export function findWindowChange(view: TreeView, listen: QueryListen, before: Places): WindowChange {
  const { path, query, window } = listen;
  const touched: TouchedChild[] = [];
  for (const [key, entry] of before)
    touched.push({ key, before: entry, after: view.findEntry(path, key, query.index) });
  if (window !== null && query.limit !== null)
    return applyToWindow(query, query.limit, window, touched, (beyond, count) =>
      view.readQuery(path, queryBeyond(query, beyond, count)),
    );
  return applyToRange(query, touched);
}

/** Without a limit the range alone tells who is shown. */
function applyToRange(query: Query, touched: readonly TouchedChild[]): WindowChange {
  const change = { window: [], left: [] as Key[], entered: [] as Key[], stayed: [] as Key[] };
  for (const { key, before, after } of touched) {
    const isShown = after !== null && isInRange(query, after);
    if (before !== null && isInRange(query, before)) (isShown ? change.stayed : change.left).push(key);
    else if (isShown) change.entered.push(key);
  }
  return change;
}

/** The children of a query that come after the outermost one of its window, away from the side the limit counts from. */
function queryBeyond(query: Query, beyond: Entry, count: number): Query {
  const bound = { ...beyond, isInclusive: false };
  return query.from === 'left'
    ? { ...query, lower: bound, limit: count }
    : { ...query, upper: bound, limit: count };
}
