import { ApiError } from '../../../server/api-error.ts';
import type { LivePage, PagePlace } from '../../../server/data.ts';
import { isAtOrBelow, joinPath, lastKeyOf, type NodePath } from '../model/node-path.ts';
import {
  type Branch,
  type BranchPage,
  openBranch,
  PAGE_SIZE,
  placeAnswer,
  releasePages,
  settleTail,
  trimBranch,
} from './branch.ts';
import type { ChildSource } from './child-source.ts';
import { choosePages, type VisiblePage } from './choose-pages.ts';
import { arrangeRows, type RowRun, type TreeRows } from './tree-rows.ts';

/** Pages whose rows are held at a time, in all open nodes. */
const MAX_HELD_PAGES = 10;
/** Rows of one node that are remembered as being there: their height must stay within what browsers can scroll. */
const MAX_KNOWN_ROWS = 300_000;
/** Pages that are read at a time. */
const MAX_READS = 3;
/** Lines beyond the screen whose pages are read ahead. */
const AHEAD = 100;
/** How long the screen stays where it is before its pages are followed, in milliseconds. */
const SETTLE_MS = 120;
/** How soon a page is read again that is followed by way of another, and how often one that nothing tells of. */
const GATHER_MS = 150;
const POLL_MS = 2_000;
/** How soon the server is asked again that did not answer. */
const RETRY_MS = 1_000;

/** Statuses that another answer follows: there was none, somebody has to sign in again, or the server is busy. */
const PASSING: ReadonlySet<number> = new Set([0, 401, 503]);

/** Whether what is on the screen is what is there. */
export type TreeConnection = 'live' | 'paused' | 'lost';

/**
 * The open nodes of a tree, which hold no more of their children than is around the screen, and follow what is on it.
 * It is told what the screen shows, and tells when there is something else to show.
 */
export class TreeModel implements Disposable {
  readonly #root: NodePath;
  readonly #source: ChildSource;
  readonly #listeners = new Set<() => void>();
  /** What is under way for a page, by its id. */
  readonly #reads = new Map<number, AbortController>();
  readonly #streams = new Map<number, AbortController>();
  #branches: ReadonlyMap<NodePath, Branch> = new Map();
  #rows: TreeRows;
  #screen = { first: 0, last: 50 };
  #connection: TreeConnection = 'live';
  #isPaused = false;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #retrying: ReturnType<typeof setTimeout> | undefined;
  /** Pages to be read again soon, though they have rows. */
  readonly #stale = new Set<number>();
  #gathering: ReturnType<typeof setTimeout> | undefined;
  #polling: ReturnType<typeof setInterval> | undefined;

  constructor(root: NodePath, source: ChildSource, place?: PagePlace) {
    this.#root = root;
    this.#source = source;
    this.#branches = new Map([[root, openBranch(root, place)]]);
    this.#rows = arrangeRows(root, this.#branches);
  }

  /** Begins to read and to follow, until it is disposed. */
  start(): void {
    this.#polling = setInterval(() => this.#poll(), POLL_MS);
    document.addEventListener('visibilitychange', this.#onVisibility);
    this.#read();
    this.#settle();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#polling);
    clearTimeout(this.#settling);
    clearTimeout(this.#retrying);
    clearTimeout(this.#gathering);
    document.removeEventListener('visibilitychange', this.#onVisibility);
    for (const abort of [...this.#reads.values(), ...this.#streams.values()]) abort.abort();
    this.#reads.clear();
    this.#streams.clear();
  }

  get rows(): TreeRows {
    return this.#rows;
  }

  get connection(): TreeConnection {
    return this.#connection;
  }

  readonly subscribe = (tell: () => void): (() => void) => {
    this.#listeners.add(tell);
    return () => this.#listeners.delete(tell);
  };

  /** Tells which lines are on the screen. */
  show(first: number, last: number): void {
    if (this.#screen.first === first && this.#screen.last === last) return;
    this.#screen = { first, last };
    this.#read();
    clearTimeout(this.#settling);
    this.#settling = undefined;
    this.#settle();
  }

  open(path: NodePath): void {
    if (this.#branches.has(path)) return;
    this.#change(new Map([...this.#branches, [path, openBranch(path)]]));
  }

  /** Closes a node; nodes below it are as they were when it is opened again. */
  close(path: NodePath): void {
    this.#change(new Map([...this.#branches].filter(([at]) => at !== path)));
  }

  /** Shows the children of a node from a place on. */
  jump(path: NodePath, place: PagePlace): void {
    this.#change(new Map([...this.#branches, [path, openBranch(path, place)]]));
  }

  /** Stops following the tail of a node, and keeps it where it is. */
  leaveTail(path: NodePath): void {
    const branch = this.#branches.get(path);
    if (branch?.pages[0]?.place.kind !== 'last') return;
    this.#stopStreams();
    this.#change(new Map([...this.#branches, [path, settleTail(branch)]]));
  }

  /** Stays as it is while others change things, or follows them. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#setConnection(isPaused ? 'paused' : 'live');
    if (isPaused) this.#stopStreams();
    else this.#settle();
  }

  /** Reads again what is on the screen. */
  refresh(): void {
    for (const { page } of this.#visiblePages()) this.#stale.add(page.id);
    for (const [path, branch] of this.#branches)
      if (branch.error !== undefined) this.#branches = new Map([...this.#branches, [path, openBranch(path)]]);
    this.#change(this.#branches);
  }

  #change(branches: ReadonlyMap<NodePath, Branch>): void {
    this.#branches = branches;
    this.#rows = arrangeRows(this.#root, branches);
    this.#read();
    this.#settle();
    for (const tell of [...this.#listeners]) tell();
  }

  #runsNear(margin: number): readonly RowRun[] {
    const { first, last } = this.#screen;
    return this.#rows.runs.filter(
      ({ start, count }) => start <= last + margin && start + count > first - margin,
    );
  }

  /** Reads what is on the screen or near it, and is not held. */
  #read(): void {
    for (const { page, branch } of this.#runsNear(AHEAD)) {
      if (this.#reads.size >= MAX_READS) return;
      if (page === null || this.#reads.has(page.id)) continue;
      if (page.rows === null || this.#stale.has(page.id)) void this.#readPage(branch.path, page);
    }
  }

  async #readPage(path: NodePath, { id, place }: BranchPage): Promise<void> {
    const abort = new AbortController();
    this.#reads.set(id, abort);
    this.#stale.delete(id);
    try {
      const answer = await this.#source.read({ path, place, limit: PAGE_SIZE }, abort.signal);
      this.#reads.delete(id);
      this.#place(path, id, answer);
    } catch (error) {
      this.#reads.delete(id);
      if (!abort.signal.aborted) this.#fail(path, error);
    }
  }

  #place(path: NodePath, id: number, answer: LivePage): void {
    const branch = this.#branches.get(path);
    if (branch === undefined) return;
    const filled = trimBranch(placeAnswer(branch, id, answer, Date.now()), id, MAX_KNOWN_ROWS);
    this.#branches = new Map([...this.#branches, [path, filled]]);
    if (this.#connection === 'lost') this.#setConnection('live');
    this.#change(this.#released());
  }

  /** Lets go of pages far from the screen. */
  #released(): ReadonlyMap<NodePath, Branch> {
    // A page with an open node stays: what is below that is drawn from it.
    const above = new Set([...this.#branches.keys()].map(lastKeyOf));
    const held = [...this.#branches.values()].flatMap(({ path, pages }) =>
      pages.filter(
        ({ rows }) =>
          rows !== null && !rows.some(({ key }) => above.has(key) && this.#branches.has(joinPath(path, key))),
      ),
    );
    if (held.length <= MAX_HELD_PAGES) return this.#branches;
    const { runs } = arrangeRows(this.#root, this.#branches);
    const middle = (this.#screen.first + this.#screen.last) / 2;
    const distances = new Map<number, number>();
    for (const { page, start, count } of runs)
      if (page !== null)
        distances.set(
          page.id,
          Math.min(distances.get(page.id) ?? Number.POSITIVE_INFINITY, distanceOf(middle, start, count)),
        );
    const far = held
      .map(({ id }) => ({ id, distance: distances.get(id) ?? Number.POSITIVE_INFINITY }))
      .sort((a, b) => a.distance - b.distance)
      .slice(MAX_HELD_PAGES);
    const ids = new Set(far.filter(({ distance }) => distance > AHEAD).map(({ id }) => id));
    return new Map([...this.#branches].map(([path, branch]) => [path, releasePages(branch, ids)]));
  }

  #fail(path: NodePath, error: unknown): void {
    const branch = this.#branches.get(path);
    if (error instanceof ApiError && PASSING.has(error.status)) this.#lose();
    else if (branch !== undefined) this.#change(new Map([...this.#branches, [path, { ...branch, error }]]));
  }

  /** The server does not answer: what is on the screen stays there, and it is asked again. */
  #lose(): void {
    if (!this.#isPaused) this.#setConnection('lost');
    clearTimeout(this.#retrying);
    this.#retrying = setTimeout(() => {
      this.#read();
      this.#settle();
    }, RETRY_MS);
  }

  #setConnection(connection: TreeConnection): void {
    if (this.#connection === connection) return;
    this.#connection = connection;
    for (const tell of [...this.#listeners]) tell();
  }

  #settle(): void {
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      this.#followScreen();
    }, SETTLE_MS);
  }

  #visiblePages(): readonly VisiblePage[] {
    const found = new Map<number, VisiblePage>();
    for (const { branch, page, level, count } of this.#runsNear(0))
      if (page !== null && page.rows !== null) {
        const lines = (found.get(page.id)?.lines ?? 0) + count;
        found.set(page.id, { path: branch.path, page, level, lines });
      }
    return [...found.values()];
  }

  #followScreen(): void {
    if (this.#isPaused || document.hidden) return;
    const chosen = choosePages(this.#visiblePages());
    const ids = new Set(chosen.map(({ page }) => page.id));
    for (const [id, abort] of this.#streams)
      if (!ids.has(id)) {
        this.#streams.delete(id);
        abort.abort();
      }
    for (const { path, page } of chosen) if (!this.#streams.has(page.id)) void this.#follow(path, page);
  }

  async #follow(path: NodePath, { id, place }: BranchPage): Promise<void> {
    const abort = new AbortController();
    this.#streams.set(id, abort);
    try {
      for await (const answer of this.#source.follow({ path, place, limit: PAGE_SIZE }, abort.signal)) {
        if (abort.signal.aborted) return;
        this.#place(path, id, answer);
        this.#refreshBelow(path, answer.changed ?? []);
      }
      if (!abort.signal.aborted) this.#lose();
    } catch (error) {
      if (!abort.signal.aborted) this.#fail(path, error);
    } finally {
      if (this.#streams.get(id) === abort) this.#streams.delete(id);
    }
  }

  /** What is below a child that changed may have changed: pages on the screen that nothing else tells of are read again. */
  #refreshBelow(path: NodePath, changed: readonly string[]): void {
    if (changed.length === 0) return;
    const touched = changed.map((key) => joinPath(path, key));
    for (const { path: below, page } of this.#visiblePages())
      if (!this.#streams.has(page.id) && touched.some((above) => isAtOrBelow(below, above)))
        this.#stale.add(page.id);
    if (this.#stale.size === 0) return;
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#read();
    }, GATHER_MS);
  }

  /** Pages on the screen of whose changes no stream tells are read again every now and then. */
  #poll(): void {
    if (this.#isPaused || document.hidden || this.#connection === 'lost') return;
    const visible = this.#visiblePages();
    const followed = visible.filter(({ page }) => this.#streams.has(page.id));
    for (const { path, page } of visible) {
      const isTold = followed.some(
        (other) =>
          other.page.id === page.id ||
          other.page.rows?.some(({ key }) => isAtOrBelow(path, joinPath(other.path, key))),
      );
      if (!isTold) this.#stale.add(page.id);
    }
    this.#read();
  }

  /** Connections are few: who does not look needs none. */
  readonly #onVisibility = (): void => {
    if (document.hidden) this.#stopStreams();
    else this.#settle();
  };

  #stopStreams(): void {
    for (const abort of this.#streams.values()) abort.abort();
    this.#streams.clear();
  }
}

function distanceOf(at: number, start: number, count: number): number {
  return Math.max(0, start - at, at - (start + count));
}
