import type { LivePage } from '../../../api/data.ts';
import { isAtOrBelow, joinPath, lastKeyOf, type NodePath } from '../model/node-path.ts';
import { type Branch, type BranchPage, type ChildSource, limitOf, releasePages } from './branch.ts';
import { isLongUnread } from './outline.ts';
import type { RowRun, TreeRows } from './rows.ts';

/** A page with rows on the screen; `lines` is the number of these rows. */
export interface VisiblePage {
  readonly path: NodePath;
  readonly page: BranchPage;
  readonly level: number;
  readonly lines: number;
}

/**
 * Maximum number of pages that are followed. Over HTTP/1.1, browsers open at most six connections to a server for all
 * windows together, and other requests need some of them.
 */
export const MAX_STREAMS = 2;

/**
 * Chooses the pages to follow: the visible page nearest to the root, because it reports changes of everything below it, then
 * the pages with the most rows on the screen, up to `MAX_STREAMS` in total.
 */
export function choosePages(visible: readonly VisiblePage[]): readonly VisiblePage[] {
  const [nearest] = visible.toSorted((a, b) => a.level - b.level || b.lines - a.lines);
  if (nearest === undefined) return [];
  const others = visible.filter((page) => page !== nearest).toSorted((a, b) => b.lines - a.lines);
  return [nearest, ...others].slice(0, MAX_STREAMS);
}

/** Receives the pages that are read or followed. */
export interface PageListener {
  page(path: NodePath, id: number, response: LivePage): void;
  failed(path: NodePath, error: unknown): void;
}

/** The streams of followed pages. */
export class PageStreams {
  readonly #source: ChildSource;
  readonly #listener: PageListener & { ended(): void };
  readonly #streams = new Map<number, AbortController>();

  constructor(source: ChildSource, listener: PageListener & { ended(): void }) {
    this.#source = source;
    this.#listener = listener;
  }

  has(id: number): boolean {
    return this.#streams.has(id);
  }

  /** Follows exactly the given pages, and stops all other streams. */
  follow(chosen: readonly VisiblePage[]): void {
    const ids = new Set(chosen.map(({ page }) => page.id));
    for (const [id, abort] of this.#streams)
      if (!ids.has(id)) {
        this.#streams.delete(id);
        abort.abort();
      }
    for (const { path, page } of chosen) if (!this.#streams.has(page.id)) void this.#follow(path, page);
  }

  stop(): void {
    for (const abort of this.#streams.values()) abort.abort();
    this.#streams.clear();
  }

  async #follow(path: NodePath, page: BranchPage): Promise<void> {
    const { id, position } = page;
    const limit = limitOf(page);
    const abort = new AbortController();
    this.#streams.set(id, abort);
    try {
      for await (const response of this.#source.follow({ path, position, limit }, abort.signal)) {
        if (abort.signal.aborted) return;
        this.#listener.page(path, id, response);
      }
      if (!abort.signal.aborted) this.#listener.ended();
    } catch (error) {
      if (!abort.signal.aborted) this.#listener.failed(path, error);
    } finally {
      if (this.#streams.get(id) === abort) this.#streams.delete(id);
    }
  }
}

/** Maximum number of concurrent reads. */
const MAX_READS = 3;

/** The running reads of pages, and the pages to be read again. */
export class PageReads {
  readonly #source: ChildSource;
  readonly #listener: PageListener;
  readonly #reads = new Map<number, AbortController>();
  /** Pages to be read again, although their rows are loaded. */
  readonly #stale = new Set<number>();

  constructor(source: ChildSource, listener: PageListener) {
    this.#source = source;
    this.#listener = listener;
  }

  /** Whether no further read can begin. */
  get isFull(): boolean {
    return this.#reads.size >= MAX_READS;
  }

  get hasStale(): boolean {
    return this.#stale.size > 0;
  }

  markStale(id: number): void {
    this.#stale.add(id);
  }

  /** Reads pages that are stale or not loaded, up to `MAX_READS` concurrently. */
  read(runs: readonly RowRun[]): void {
    for (const { page, branch } of runs) {
      if (this.isFull) return;
      if (page === null || this.#reads.has(page.id)) continue;
      if (page.rows === null || this.#stale.has(page.id)) void this.#read(branch.path, page);
    }
  }

  /** Cancels the read of a page whose stream has reported a change, because the response may be older. */
  cancel(id: number): void {
    this.#reads.get(id)?.abort();
    this.#reads.delete(id);
  }

  stop(): void {
    for (const abort of this.#reads.values()) abort.abort();
    this.#reads.clear();
  }

  async #read(path: NodePath, page: BranchPage): Promise<void> {
    const { id, position, skipped } = page;
    const limit = limitOf(page);
    const abort = new AbortController();
    this.#reads.set(id, abort);
    this.#stale.delete(id);
    try {
      const response = await this.#source.read({ path, position, skipped, limit }, abort.signal);
      if (abort.signal.aborted) return;
      this.#reads.delete(id);
      this.#listener.page(path, id, response);
    } catch (error) {
      if (abort.signal.aborted) return;
      this.#reads.delete(id);
      this.#listener.failed(path, error);
    }
  }
}

/** Indexes of the rows on the screen. */
export interface TreeScreen {
  readonly first: number;
  readonly last: number;
}

/** Returns the runs that have a row on the screen or at most `margin` rows away from it. */
export function runsNear({ runs }: TreeRows, { first, last }: TreeScreen, margin: number): readonly RowRun[] {
  return runs.filter(({ start, count }) => start <= last + margin && start + count > first - margin);
}

/** Returns the first long unread page near the screen, and which of its rows is the first to read; `undefined` if there is none. */
export function findLongUnread(
  rows: TreeRows,
  screen: TreeScreen,
): { readonly path: NodePath; readonly id: number; readonly offset: number } | undefined {
  for (const { branch, page, start, count } of runsNear(rows, screen, AHEAD))
    if (page !== null && isLongUnread(page))
      return {
        path: branch.path,
        id: page.id,
        offset: Math.max(0, Math.min(screen.first - start, count - 1)),
      };
  return undefined;
}

/** Returns the loaded pages with rows on the screen. */
export function visiblePages(rows: TreeRows, screen: TreeScreen): readonly VisiblePage[] {
  const found = new Map<number, VisiblePage>();
  for (const { branch, page, level, count } of runsNear(rows, screen, 0))
    if (page !== null && page.rows !== null) {
      const lines = (found.get(page.id)?.lines ?? 0) + count;
      found.set(page.id, { path: branch.path, page, level, lines });
    }
  return [...found.values()];
}

/** Returns whether followed pages report all changes of a page. They do if one is the page itself, or has a row above the page. */
export function isNotifiedBy({ path, page }: VisiblePage, followed: readonly VisiblePage[]): boolean {
  return followed.some(
    (other) =>
      other.page.id === page.id ||
      other.page.rows?.some(({ key }) => isAtOrBelow(path, joinPath(other.path, key))),
  );
}

/** If more pages than this are loaded, the rows of those far from the screen are released. */
const MAX_HELD_PAGES = 10;
/** Distance from the screen in rows within which pages are read ahead and kept. */
export const AHEAD = 100;

/** Releases the rows of pages far from the screen if too many are loaded. `arrange` returns the rows of the branches. */
export function releaseFarPages(
  branches: ReadonlyMap<NodePath, Branch>,
  arrange: () => TreeRows,
  { first, last }: TreeScreen,
): ReadonlyMap<NodePath, Branch> {
  // A page with an open node stays loaded, because the rows below that node depend on it.
  const above = new Set([...branches.keys()].map(lastKeyOf));
  const held = [...branches.values()].flatMap(({ path, pages }) =>
    pages.filter(
      ({ rows }) =>
        rows !== null && !rows.some(({ key }) => above.has(key) && branches.has(joinPath(path, key))),
    ),
  );
  if (held.length <= MAX_HELD_PAGES) return branches;
  const { runs } = arrange();
  const middle = (first + last) / 2;
  const distances = new Map<number, number>();
  const distanceTo = (id: number): number => distances.get(id) ?? Number.POSITIVE_INFINITY;
  for (const { page, start, count } of runs)
    if (page !== null)
      distances.set(page.id, Math.min(distanceTo(page.id), distanceOf(middle, start, count)));
  const far = held
    .map(({ id }) => ({ id, distance: distanceTo(id) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(MAX_HELD_PAGES);
  const ids = new Set(far.filter(({ distance }) => distance > AHEAD).map(({ id }) => id));
  return new Map([...branches].map(([path, branch]) => [path, releasePages(branch, ids)]));
}

function distanceOf(at: number, start: number, count: number): number {
  return Math.max(0, start - at, at - (start + count));
}
