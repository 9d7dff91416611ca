import { compareEntries, type Entry, isInRange, type Query } from './query.ts';

/** A child that a write touched: where it stands after it, or `null` when it is gone. */
export interface TouchedChild {
  readonly key: Entry['key'];
  readonly after: Entry | null;
}

/** What a write did to a window. Each touched child is in at most one list. */
export interface WindowChange {
  readonly window: readonly Entry[];
  readonly left: readonly Entry['key'][];
  readonly entered: readonly Entry['key'][];
  /** Touched children that were and are in the window. */
  readonly stayed: readonly Entry['key'][];
}

/**
 * Reads further children: those in range strictly beyond `beyond` in the direction away from the side the limit
 * counts from, nearest first, at most `count`.
 */
export type ReadBeyond = (beyond: Entry, count: number) => readonly Entry[];

/**
 * Moves the window of a limited query past one write, without looking at children that the write did not touch,
 * except for refilling. `window` is in query order and was exact before the write; `readBeyond` reads the state
 * after it.
 */
export function applyToWindow(
  query: Query,
  limit: number,
  window: readonly Entry[],
  touched: readonly TouchedChild[],
  readBeyond: ReadBeyond,
): WindowChange {
  const isFull = window.length >= limit;
  const frontier = isFull ? (query.from === 'left' ? window.at(-1) : window[0]) : undefined;
  const touchedKeys = new Set(touched.map((child) => child.key));
  const next = window.filter((entry) => !touchedKeys.has(entry.key));
  for (const { after } of touched)
    if (after !== null && isInRange(query, after) && !isBeyond(query, frontier, after)) next.push(after);
  next.sort(compareEntries);
  if (frontier !== undefined && next.length < limit) {
    next.push(...readBeyond(frontier, limit - next.length));
    next.sort(compareEntries);
  }
  const cut = query.from === 'left' ? next.slice(0, limit) : next.slice(-limit);
  return compareWindows(window, cut, touchedKeys);
}

/** Outside the window of a full query; nothing is when it is not full. */
function isBeyond(query: Query, frontier: Entry | undefined, entry: Entry): boolean {
  if (frontier === undefined) return false;
  const order = compareEntries(entry, frontier);
  return query.from === 'left' ? order > 0 : order < 0;
}

/** Differences between two windows of the same query. */
export function compareWindows(
  before: readonly Entry[],
  after: readonly Entry[],
  touched: ReadonlySet<Entry['key']>,
): WindowChange {
  const beforeKeys = new Set(before.map((entry) => entry.key));
  const afterKeys = new Set(after.map((entry) => entry.key));
  return {
    window: after,
    left: before.filter(({ key }) => !afterKeys.has(key)).map(({ key }) => key),
    entered: after.filter(({ key }) => !beforeKeys.has(key)).map(({ key }) => key),
    stayed: after.filter(({ key }) => beforeKeys.has(key) && touched.has(key)).map(({ key }) => key),
  };
}
