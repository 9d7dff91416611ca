import { compareEntries, type Entry, isInRange, type Query } from './query.ts';

/** A child that a write touched: where it stood before, and where it stands after; `null` where it is not. */
export interface TouchedChild {
  readonly key: Entry['key'];
  readonly before: Entry | null;
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
 * counts from, the nearest `count` of them, in any order.
 */
export type ReadBeyond = (beyond: Entry, count: number) => readonly Entry[];

/**
 * Moves the window of a limited query past one write, without looking at children that the write did not touch,
 * except for refilling. `window` is in query order and was exact before the write; `readBeyond` reads the state
 * after it. Costs comparisons for the touched children only, and a copy of the window if that changes at all.
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
    const location = before === null ? -1 : findPlace(window, before);
    const shown = window[location];
    if (shown !== undefined) shownBefore.set(key, shown);
    const isInside = after !== null && isInRange(query, after) && !isBeyond(query, frontier, after);
    if (isInside) shownAfter.set(key, after);
    if (isInside && shown !== undefined && shown.value === after.value) continue;
    if (shown !== undefined) edits.push({ place: location, added: null });
    if (isInside) edits.push({ place: locationOf(window, after), added: after });
  }
  const next = edits.length === 0 ? window : editWindow(window, edits);
  const refill =
    frontier === undefined || next.length >= limit ? [] : readBeyond(frontier, limit - next.length);
  const { kept, evicted } = fitToLimit(query, limit, next, refill);
  for (const entry of refill) shownAfter.set(entry.key, entry);
  // One that was added and evicted at once was never shown.
  for (const entry of evicted) if (!shownAfter.delete(entry.key)) shownBefore.set(entry.key, entry);
  return {
    window: kept,
    left: keysInOrder(shownBefore, (key) => !shownAfter.has(key)),
    entered: keysInOrder(shownAfter, (key) => !shownBefore.has(key)),
    stayed: keysInOrder(shownAfter, (key) => shownBefore.has(key)),
  };
}

/** A place of a window, and what comes before the entry there; `null` takes that entry out. */
interface Edit {
  readonly place: number;
  readonly added: Entry | null;
}

/** Outside the window of a full query; nothing is when it is not full. */
function isBeyond(query: Query, frontier: Entry | undefined, entry: Entry): boolean {
  if (frontier === undefined) return false;
  const order = compareEntries(entry, frontier);
  return query.from === 'left' ? order > 0 : order < 0;
}

/** Index of the first entry of a window that is not below `entry`. */
function locationOf(window: readonly Entry[], entry: Entry): number {
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

/** Index of the child in a window; -1 when it is not in it. */
function findPlace(window: readonly Entry[], entry: Entry): number {
  const location = locationOf(window, entry);
  return window[location]?.key === entry.key ? location : -1;
}

function editWindow(window: readonly Entry[], edits: readonly Edit[]): readonly Entry[] {
  const ordered = edits.toSorted(compareEdits);
  const runs: (readonly Entry[])[] = [];
  let from = 0;
  for (const { place: location, added } of ordered) {
    if (location > from) runs.push(window.slice(from, location));
    from = Math.max(from, location);
    if (added === null) from = location + 1;
    else runs.push([added]);
  }
  runs.push(window.slice(from));
  return joinRuns(runs);
}

/** By place; at one place, what is added comes in query order before the entry there is taken out. */
function compareEdits(a: Edit, b: Edit): number {
  if (a.place !== b.place) return a.place - b.place;
  if (a.added === null || b.added === null) return a.added === b.added ? 0 : a.added === null ? 1 : -1;
  return compareEntries(a.added, b.added);
}

/** A call takes no more arguments than this for certain. */
const MAX_ARGUMENTS = 1000;

/** Joins by `concat` alone, which copies memory where a loop would look at every entry. */
function joinRuns(runs: readonly (readonly Entry[])[]): readonly Entry[] {
  const none: readonly Entry[] = [];
  if (runs.length <= MAX_ARGUMENTS) return none.concat(...runs);
  const half = runs.length >>> 1;
  return joinRuns(runs.slice(0, half)).concat(joinRuns(runs.slice(half)));
}

/** Adds a refill on the far side, or takes away on that side what is beyond the limit. */
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
