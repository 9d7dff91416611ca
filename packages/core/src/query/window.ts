import { compareEntries, type Entry, isInRange, type Query } from './query.ts';

/**
 * A child that a write changed, with its entry before and after the write. An entry is `null` if the child
 * does not exist.
 */
export interface TouchedChild {
  readonly key: Entry['key'];
  readonly before: Entry | null;
  readonly after: Entry | null;
}

/**
 * The effect of a write on the window of a limited query. The window is the list of the entries that the query selects.
 * The other lists are in query order, and a child is in at most one of them.
 */
export interface WindowChange {
  readonly window: readonly Entry[];
  readonly left: readonly Entry['key'][];
  readonly entered: readonly Entry['key'][];
  /** Changed children that were in the window before the write and still are. */
  readonly stayed: readonly Entry['key'][];
}

/**
 * Reads the nearest `count` children in the query's range that are strictly beyond `beyond`, in any order.
 * "Beyond" is away from the end from which the limit counts.
 */
export type ReadBeyond = (beyond: Entry, count: number) => readonly Entry[];

/**
 * Returns how one write changes the window of a limited query. Reads no unchanged children except to refill the
 * window. `window` must have the state before the write and be in query order. `readBeyond` must read the state after
 * the write. The cost is a search of the window for each changed child, and a copy of the window if it changes.
 */
export function applyToWindow(
  query: Query,
  limit: number,
  window: readonly Entry[],
  touched: readonly TouchedChild[],
  readBeyond: ReadBeyond,
): WindowChange {
  const frontier = window.length < limit ? undefined : query.from === 'left' ? window.at(-1) : window[0];
  const shownBefore = new Map<Entry['key'], Entry>();
  const shownAfter = new Map<Entry['key'], Entry>();
  const edits: Edit[] = [];
  for (const { key, before, after } of touched) {
    const index = before === null ? -1 : findIndex(window, before);
    const shown = window[index];
    if (shown !== undefined) shownBefore.set(key, shown);
    const isInside = after !== null && isInRange(query, after) && !isBeyond(query, frontier, after);
    if (isInside) shownAfter.set(key, after);
    if (isInside && shown !== undefined && shown.value === after.value) continue;
    if (shown !== undefined) edits.push({ index, added: null });
    if (isInside) edits.push({ index: insertionIndexOf(window, after), added: after });
  }
  const next = edits.length === 0 ? window : editWindow(window, edits);
  const refill =
    frontier === undefined || next.length >= limit ? [] : readBeyond(frontier, limit - next.length);
  const { kept, evicted } = fitToLimit(query, limit, next, refill);
  for (const entry of refill) shownAfter.set(entry.key, entry);
  // An entry that this write both added and evicted was never shown.
  for (const entry of evicted) if (!shownAfter.delete(entry.key)) shownBefore.set(entry.key, entry);
  return {
    window: kept,
    left: keysInOrder(shownBefore, (key) => !shownAfter.has(key)),
    entered: keysInOrder(shownAfter, (key) => !shownBefore.has(key)),
    stayed: keysInOrder(shownAfter, (key) => shownBefore.has(key)),
  };
}

/**
 * An edit of a window at an index: inserts `added` before the entry there, or removes that entry if `added`
 * is `null`.
 */
interface Edit {
  readonly index: number;
  readonly added: Entry | null;
}

/**
 * Returns whether an entry is beyond `frontier`, the last entry of a full window, counted from the side of the
 * limit. A window that is not full has no frontier, and no entry is beyond it.
 */
function isBeyond(query: Query, frontier: Entry | undefined, entry: Entry): boolean {
  if (frontier === undefined) return false;
  const order = compareEntries(entry, frontier);
  return query.from === 'left' ? order > 0 : order < 0;
}

/** Returns the index of the first entry of a window that is not below `entry`. */
function insertionIndexOf(window: readonly Entry[], entry: Entry): number {
  let low = 0;
  let high = window.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = window[middle];
    if (other !== undefined && compareEntries(other, entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the index of the child in a window, or -1. */
function findIndex(window: readonly Entry[], entry: Entry): number {
  const index = insertionIndexOf(window, entry);
  return window[index]?.key === entry.key ? index : -1;
}

function editWindow(window: readonly Entry[], edits: readonly Edit[]): readonly Entry[] {
  const ordered = edits.toSorted(compareEdits);
  const runs: (readonly Entry[])[] = [];
  let from = 0;
  for (const { index, added } of ordered) {
    if (index > from) runs.push(window.slice(from, index));
    from = Math.max(from, index);
    if (added === null) from = index + 1;
    else runs.push([added]);
  }
  runs.push(window.slice(from));
  return joinRuns(runs);
}

/** Compares edits by index. At one index, insertions come first, in query order, then the removal. */
function compareEdits(a: Edit, b: Edit): number {
  if (a.index !== b.index) return a.index - b.index;
  if (a.added === null || b.added === null) return a.added === b.added ? 0 : a.added === null ? 1 : -1;
  return compareEntries(a.added, b.added);
}

/** Every JavaScript engine accepts this many arguments of a function call. */
const MAX_ARGUMENTS = 1000;

/** Concatenates arrays with `concat`, which copies memory, because a loop would visit every entry. */
function joinRuns(runs: readonly (readonly Entry[])[]): readonly Entry[] {
  const none: readonly Entry[] = [];
  if (runs.length <= MAX_ARGUMENTS) return none.concat(...runs);
  const half = runs.length >>> 1;
  return joinRuns(runs.slice(0, half)).concat(joinRuns(runs.slice(half)));
}

/**
 * Adds the refill at the end of the window that is opposite to `query.from`. Without a refill, evicts the entries at
 * that end that exceed the limit.
 */
function fitToLimit(
  query: Query,
  limit: number,
  window: readonly Entry[],
  refill: readonly Entry[],
): { readonly kept: readonly Entry[]; readonly evicted: readonly Entry[] } {
  const isLeft = query.from === 'left';
  if (refill.length > 0) {
    const further = refill.toSorted(compareEntries);
    return { kept: isLeft ? window.concat(further) : further.concat(window), evicted: [] };
  }
  if (window.length <= limit) return { kept: window, evicted: [] };
  return isLeft
    ? { kept: window.slice(0, limit), evicted: window.slice(limit) }
    : { kept: window.slice(-limit), evicted: window.slice(0, -limit) };
}

function keysInOrder(
  entries: ReadonlyMap<Entry['key'], Entry>,
  isWanted: (key: Entry['key']) => boolean,
): readonly Entry['key'][] {
  return [...entries.values()]
    .filter(({ key }) => isWanted(key))
    .sort(compareEntries)
    .map(({ key }) => key);
}
