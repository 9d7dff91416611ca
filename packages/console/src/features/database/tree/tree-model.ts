import type { PagePosition } from '../../../api/children-address.ts';
import { ApiError } from '../../../api/client.ts';
import type { LivePage } from '../../../api/data.ts';
import { MOTION } from '../../../ui/theme.ts';
import { isAtOrBelow, joinPath, type NodePath } from '../model/node-path.ts';
import type { StagedList } from '../staging/store.ts';
import {
  type Branch,
  beginBranch,
  type ChildSource,
  dropRemovedRows,
  hasRemovedRows,
  openBranch,
  positionAnswer,
  settleTail,
  trimBranch,
} from './branch.ts';
import {
  AHEAD,
  choosePages,
  isNotifiedBy,
  PageReads,
  PageStreams,
  releaseFarPages,
  runsNear,
  type TreeScreen,
  type VisiblePage,
  visiblePages,
} from './page-loader.ts';
import { arrangeRows, type TreeRows } from './rows.ts';
import { overlayBranches } from './staged-branches.ts';

/** Does something once, some time after it was asked for, however often that is meanwhile. */
export class Delay {
  readonly #ms: number;
  readonly #act: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number, action: () => void) {
    this.#ms = ms;
    this.#act = action;
  }

  /** Asks for it, unless that was done already. */
  begin(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#act();
    }, this.#ms);
  }

  /** Asks for it, from now on, even if that was done already. */
  beginAgain(): void {
    this.cancel();
    this.begin();
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** Statuses that another answer follows: there was none, somebody has to sign in again, or the server is busy. */
const PASSING: ReadonlySet<number> = new Set([0, 401, 503]);

/** Is it a failure that goes by itself? Browsers tell of an answer that breaks off by a `TypeError`. */
function isPassing(error: unknown): boolean {
  return error instanceof ApiError ? PASSING.has(error.status) : error instanceof TypeError;
}

/** How long rows stay that others have removed, in milliseconds; not at all for whoever asks for less motion. */
function fadeOutMs(): number {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : MOTION.flashMs;
}

/** Rows of one node that are remembered as being there: their height must stay within what browsers can scroll. */
const MAX_KNOWN_ROWS = 300_000;
/** How long the screen stays where it is before its pages are followed, in milliseconds. */
const SETTLE_MS = 120;
/** How soon a page is read again that is followed by way of another, and how often one that nothing tells of. */
const GATHER_MS = 150;
const POLL_MS = 2_000;
/** How soon the server is asked again that did not answer. */
const RETRY_MS = 1_000;

/** Whether what is on the screen is what is there. */
export type TreeConnection = 'live' | 'paused' | 'lost';

/** How a tree begins. */
interface TreeBeginning {
  /** Where the children of its root are shown first. */
  readonly place?: PagePosition;
  /** Nodes that are open. */
  readonly open?: readonly NodePath[];
}

type Branches = ReadonlyMap<NodePath, Branch>;

/**
 * The open nodes of a tree, which hold no more of their children than is around the screen, and follow what is on it.
 * It is told what the screen shows, and tells when there is something else to show.
 */
export class TreeModel implements Disposable {
  readonly #root: NodePath;
  readonly #reads: PageReads;
  readonly #streams: PageStreams;
  readonly #listeners = new Set<() => void>();
  #branches: Branches;
  #staged: StagedList = [];
  #rows: TreeRows;
  #screen: TreeScreen = { first: 0, last: 50 };
  #connection: TreeConnection = 'live';
  #isPaused = false;
  readonly #settling = new Delay(SETTLE_MS, () => this.#follow());
  readonly #retrying = new Delay(RETRY_MS, () => this.#readAndSettle());
  readonly #gathering = new Delay(GATHER_MS, () => this.#read());
  readonly #fading = new Delay(MOTION.flashMs, () => this.#dropFaded());
  #polling: ReturnType<typeof setInterval> | undefined;

  constructor(root: NodePath, source: ChildSource, { place: location, open = [] }: TreeBeginning = {}) {
    this.#root = root;
    const news = {
      page: (path: NodePath, id: number, answer: LivePage) => this.#place(path, id, answer),
      failed: (path: NodePath, error: unknown) => this.#fail(path, error),
      ended: () => this.#lose(),
    };
    this.#reads = new PageReads(source, news);
    this.#streams = new PageStreams(source, {
      ...news,
      page: (path, id, answer) => {
        this.#reads.overtake(id);
        news.page(path, id, answer);
      },
    });
    this.#branches = new Map([
      [root, beginBranch(root, source, location)],
      ...open.map((path) => [path, openBranch(path)] as const),
    ]);
    this.#rows = this.#arrange(this.#branches);
  }

  /** Begins to read and to follow, until it is disposed. */
  start(): void {
    this.#polling = setInterval(() => this.#poll(), POLL_MS);
    document.addEventListener('visibilitychange', this.#onVisibility);
    this.#readAndSettle();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#polling);
    for (const delay of [this.#settling, this.#retrying, this.#gathering, this.#fading]) delay.cancel();
    document.removeEventListener('visibilitychange', this.#onVisibility);
    this.#reads.stop();
    this.#streams.stop();
  }

  get rows(): TreeRows {
    return this.#rows;
  }

  get connection(): TreeConnection {
    return this.#connection;
  }

  readonly subscribe = (notify: () => void): (() => void) => {
    this.#listeners.add(notify);
    return () => this.#listeners.delete(notify);
  };

  /** Tells which lines are on the screen. */
  show(first: number, last: number): void {
    if (this.#screen.first === first && this.#screen.last === last) return;
    this.#screen = { first, last };
    this.#read();
    this.#settling.beginAgain();
  }

  /** Shows staged edits over what is there. Where there are none any more, what is there is read again. */
  stage(staged: StagedList): void {
    if (staged === this.#staged) return;
    const isLess = staged.length < this.#staged.length;
    this.#staged = staged;
    if (isLess) this.refresh();
    else this.#change(this.#branches);
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
  jump(path: NodePath, location: PagePosition): void {
    this.#change(new Map([...this.#branches, [path, openBranch(path, location)]]));
  }

  /** Stops following the tail of a node, and keeps it where it is. */
  leaveTail(path: NodePath): void {
    const branch = this.#branches.get(path);
    if (branch?.pages[0]?.place.kind !== 'last') return;
    this.#streams.stop();
    this.#change(new Map([...this.#branches, [path, settleTail(branch)]]));
  }

  /** Stays as it is while others change things, or follows them. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#setConnection(isPaused ? 'paused' : 'live');
    if (isPaused) this.#streams.stop();
    else this.#settling.begin();
  }

  /** Reads again what is on the screen. */
  refresh(): void {
    for (const { page } of this.#visiblePages()) this.#reads.markStale(page.id);
    this.#change(
      new Map(
        [...this.#branches].map(([path, branch]) => [
          path,
          branch.error === undefined ? branch : openBranch(path),
        ]),
      ),
    );
  }

  #arrange(branches: Branches): TreeRows {
    return arrangeRows(this.#root, overlayBranches(branches, this.#staged));
  }

  #change(branches: Branches): void {
    this.#branches = branches;
    this.#rows = this.#arrange(branches);
    this.#readAndSettle();
    this.#notify();
  }

  #notify(): void {
    for (const notify of [...this.#listeners]) notify();
  }

  /** Reads what is on the screen or near it, and is not held. */
  #read(): void {
    this.#reads.read(runsNear(this.#rows, this.#screen, AHEAD));
  }

  #place(path: NodePath, id: number, answer: LivePage): void {
    const branch = this.#branches.get(path);
    if (branch === undefined) return;
    const placed = positionAnswer(branch, id, answer, Date.now(), fadeOutMs());
    const filled = trimBranch(placed, id, MAX_KNOWN_ROWS);
    const branches = new Map([...this.#branches, [path, filled] as const]);
    if (this.#connection === 'lost') this.#setConnection('live');
    this.#change(releaseFarPages(branches, () => this.#arrange(branches), this.#screen));
    if (hasRemovedRows(filled)) this.#fading.begin();
    this.#refreshBelow(path, answer.changed ?? []);
  }

  /** Forgets rows that others have removed, once they have faded. */
  #dropFaded(): void {
    const untilMs = Date.now() - MOTION.flashMs;
    this.#change(
      new Map([...this.#branches].map(([path, branch]) => [path, dropRemovedRows(branch, untilMs)])),
    );
    if ([...this.#branches.values()].some(hasRemovedRows)) this.#fading.begin();
  }

  #fail(path: NodePath, error: unknown): void {
    const branch = this.#branches.get(path);
    if (isPassing(error)) this.#lose();
    else if (branch !== undefined) this.#change(new Map([...this.#branches, [path, { ...branch, error }]]));
  }

  /** The server does not answer: what is on the screen stays there, and it is asked again. */
  #lose(): void {
    if (!this.#isPaused) this.#setConnection('lost');
    this.#retrying.beginAgain();
  }

  #setConnection(connection: TreeConnection): void {
    if (this.#connection === connection) return;
    this.#connection = connection;
    this.#notify();
  }

  #readAndSettle(): void {
    this.#read();
    this.#settling.begin();
  }

  #follow(): void {
    if (!this.#isPaused && !document.hidden) this.#streams.follow(choosePages(this.#visiblePages()));
  }

  #visiblePages(): readonly VisiblePage[] {
    return visiblePages(this.#rows, this.#screen);
  }

  /** What is below a child that changed may have changed: pages on the screen that nothing else tells of are read again. */
  #refreshBelow(path: NodePath, changed: readonly string[]): void {
    if (changed.length === 0) return;
    const touched = changed.map((key) => joinPath(path, key));
    for (const { path: below, page } of this.#visiblePages())
      if (!this.#streams.has(page.id) && touched.some((above) => isAtOrBelow(below, above)))
        this.#reads.markStale(page.id);
    if (this.#reads.hasStale) this.#gathering.begin();
  }

  /** Pages on the screen of whose changes no stream tells are read again every now and then. */
  #poll(): void {
    if (this.#isPaused || document.hidden || this.#connection === 'lost') return;
    const visible = this.#visiblePages();
    const followed = visible.filter(({ page }) => this.#streams.has(page.id));
    for (const one of visible) if (!isNotifiedBy(one, followed)) this.#reads.markStale(one.page.id);
    this.#read();
  }

  /** Connections are few: who does not look needs none. */
  readonly #onVisibility = (): void => {
    if (document.hidden) this.#streams.stop();
    else this.#settling.begin();
  };
}
