import { PAGE_SIZE } from '../../../api/children-address.ts';
import type { LivePage } from '../../../api/data.ts';
import { isAtOrBelow, joinPath, lastKeyOf, type NodePath } from '../model/node-path.ts';
import { type Branch, type BranchPage, type ChildSource, releasePages } from './branch.ts';
import type { RowRun, TreeRows } from './rows.ts';

/** A page with lines on the screen. */
export interface VisiblePage {
  readonly path: NodePath;
  readonly page: BranchPage;
  readonly level: number;
  readonly lines: number;
}

/**
 * Pages that are followed at a time. Browsers open six connections to a server at most over HTTP/1.1, for all windows together,
 * and there must be some left for everything else.
 */
export const MAX_STREAMS = 2;

/**
 * Chooses what to follow: the uppermost page on the screen, because a change of anything below it is told there, and those
 * that take most of the screen.
 */
export function choosePages(visible: readonly VisiblePage[]): readonly VisiblePage[] {
  const [uppermost] = visible.toSorted((a, b) => a.level - b.level || b.lines - a.lines);
  if (uppermost === undefined) return [];
  const others = visible.filter((page) => page !== uppermost).toSorted((a, b) => b.lines - a.lines);
  return [uppermost, ...others].slice(0, MAX_STREAMS);
}

/** What is told of pages that are read or followed. */
export interface PageNews {
  page(path: NodePath, id: number, answer: LivePage): void;
  failed(path: NodePath, error: unknown): void;
}

/** The pages that are followed by streams. */
export class PageStreams {
  readonly #source: ChildSource;
  readonly #news: PageNews & { ended(): void };
  readonly #streams = new Map<number, AbortController>();

  constructor(source: ChildSource, news: PageNews & { ended(): void }) {
    this.#source = source;
    this.#news = news;
  }

  has(id: number): boolean {
    return this.#streams.has(id);
  }

  /** Follows these pages, and no others any more. */
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

  async #follow(path: NodePath, { id, place: location }: BranchPage): Promise<void> {
    const abort = new AbortController();
    this.#streams.set(id, abort);
    try {
      for await (const answer of this.#source.follow(
        { path, place: location, limit: PAGE_SIZE },
        abort.signal,
      )) {
        if (abort.signal.aborted) return;
        this.#news.page(path, id, answer);
      }
      if (!abort.signal.aborted) this.#news.ended();
    } catch (error) {
      if (!abort.signal.aborted) this.#news.failed(path, error);
    } finally {
      if (this.#streams.get(id) === abort) this.#streams.delete(id);
    }
  }
}

/** Pages that are read at a time. */
const MAX_READS = 3;

/** The pages that are being read, and those that are to be read again. */
export class PageReads {
  readonly #source: ChildSource;
  readonly #news: PageNews;
  readonly #reads = new Map<number, AbortController>();
  /** Pages to be read again soon, though they have rows. */
  readonly #stale = new Set<number>();

  constructor(source: ChildSource, news: PageNews) {
    this.#source = source;
    this.#news = news;
  }

  get hasStale(): boolean {
    return this.#stale.size > 0;
  }

  markStale(id: number): void {
    this.#stale.add(id);
  }

  /** Reads what is not held or stale, as far as there is room for more. */
  read(runs: readonly RowRun[]): void {
    for (const { page, branch } of runs) {
      if (this.#reads.size >= MAX_READS) return;
      if (page === null || this.#reads.has(page.id)) continue;
      if (page.rows === null || this.#stale.has(page.id)) void this.#read(branch.path, page);
    }
  }

  /** A stream has told of a page, and will tell of all that comes: an answer that is under way may be older. */
  overtake(id: number): void {
    this.#reads.get(id)?.abort();
    this.#reads.delete(id);
  }

  stop(): void {
    for (const abort of this.#reads.values()) abort.abort();
    this.#reads.clear();
  }

  async #read(path: NodePath, { id, place: location }: BranchPage): Promise<void> {
    const abort = new AbortController();
    this.#reads.set(id, abort);
    this.#stale.delete(id);
    try {
      const answer = await this.#source.read({ path, place: location, limit: PAGE_SIZE }, abort.signal);
      if (abort.signal.aborted) return;
      this.#reads.delete(id);
      this.#news.page(path, id, answer);
    } catch (error) {
      if (abort.signal.aborted) return;
      this.#reads.delete(id);
      this.#news.failed(path, error);
    }
  }
}

/** Lines that are on the screen. */
export interface TreeScreen {
  readonly first: number;
  readonly last: number;
}

/** Lines on the screen, or at most `margin` lines from it. */
export function runsNear({ runs }: TreeRows, { first, last }: TreeScreen, margin: number): readonly RowRun[] {
  return runs.filter(({ start, count }) => start <= last + margin && start + count > first - margin);
}

/** The pages with lines on the screen whose rows are held. */
export function visiblePages(rows: TreeRows, screen: TreeScreen): readonly VisiblePage[] {
  const found = new Map<number, VisiblePage>();
  for (const { branch, page, level, count } of runsNear(rows, screen, 0))
    if (page !== null && page.rows !== null) {
      const lines = (found.get(page.id)?.lines ?? 0) + count;
      found.set(page.id, { path: branch.path, page, level, lines });
    }
  return [...found.values()];
}

/** Is whatever changes on a page told by those that are followed: itself, or one with a row that it is below? */
export function isNotifiedBy({ path, page }: VisiblePage, followed: readonly VisiblePage[]): boolean {
  return followed.some(
    (other) =>
      other.page.id === page.id ||
      other.page.rows?.some(({ key }) => isAtOrBelow(path, joinPath(other.path, key))),
  );
}

/** Pages whose rows are held at a time, in all open nodes. */
const MAX_HELD_PAGES = 10;
/** Lines beyond the screen whose pages are read ahead, and kept. */
export const AHEAD = 100;

/** Lets go of the rows of pages far from the screen, where too many are held. `arrange` puts their lines in order. */
export function releaseFarPages(
  branches: ReadonlyMap<NodePath, Branch>,
  arrange: () => TreeRows,
  { first, last }: TreeScreen,
): ReadonlyMap<NodePath, Branch> {
  // A page with an open node stays: what is below that is drawn from it.
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
