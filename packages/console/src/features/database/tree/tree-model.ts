import type { PagePosition } from '../../../api/children-address.ts';
import { ApiError, isUnavailable } from '../../../api/client.ts';
import type { LivePage } from '../../../api/data.ts';
import { MOTION } from '../../../ui/theme.ts';
import { isAtOrBelow, joinPath, type NodePath } from '../model/node-path.ts';
import type { StagedList } from '../staging/store.ts';
import {
  applyPage,
  type Branch,
  type ChildSource,
  dropRemovedRows,
  hasRemovedRows,
  openBranch,
  openRoot,
  settleTail,
} from './branch.ts';
import { isLarge, joinUnreadPages, outlineBranch, splitPage } from './outline.ts';
import { type OutlineCount, OutlineReads } from './outline-reads.ts';
import {
  AHEAD,
  choosePages,
  findLongUnread,
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

/** Runs an action once after a delay, however often it is requested during the delay. */
export class Delay {
  readonly #ms: number;
  readonly #act: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number, action: () => void) {
    this.#ms = ms;
    this.#act = action;
  }

  /** Starts the delay, unless it is running. */
  begin(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#act();
    }, this.#ms);
  }

  /** Restarts the delay. */
  beginAgain(): void {
    this.cancel();
    this.begin();
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/**
 * Returns whether a failure is transient: the server is unavailable, or the user must sign in again. Browsers throw a
 * `TypeError` if a response is interrupted.
 */
function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) return isUnavailable(error) || error.status === 401;
  return error instanceof TypeError;
}

/** Returns how long removed rows fade out, in milliseconds; 0 if the user prefers reduced motion. */
function fadeOutMs(): number {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : MOTION.flashMs;
}

/** Delay in ms after scrolling before the visible pages are followed. */
const SETTLE_MS = 120;
/**
 * Delay in ms before pages are read again after a followed page above them reports a change, so that several changes cause one
 * read.
 */
const GATHER_MS = 150;
/** Interval in ms at which visible pages are read again if no stream reports their changes. */
const POLL_MS = 2_000;
/** Delay in ms before requests are repeated if the server does not respond. */
const RETRY_MS = 1_000;

/** Whether the tree follows changes. */
export type TreeConnection = 'live' | 'paused' | 'lost';

/** Initial state of a tree. */
interface InitialTree {
  /** Position of the first page of the root's children. */
  readonly position?: PagePosition;
  /** Paths of open nodes. */
  readonly open?: readonly NodePath[];
}

/** The number of children of the root, as far as the model knows it. */
type RootCount =
  | OutlineCount
  /** The root is not read yet, or its outline is not requested yet. */
  | { readonly kind: 'unknown' }
  /** The root has no outline, because it has few children. */
  | { readonly kind: 'not-outlined' };

const UNKNOWN: RootCount = { kind: 'unknown' };
const NOT_OUTLINED: RootCount = { kind: 'not-outlined' };

type Branches = ReadonlyMap<NodePath, Branch>;

/**
 * The open nodes of a tree. Loads only the children near the screen, and follows changes of the visible ones. The view calls
 * `show` when it scrolls, and subscribes to changes of `rows`.
 */
export class TreeModel implements Disposable {
  readonly #root: NodePath;
  readonly #reads: PageReads;
  readonly #streams: PageStreams;
  readonly #outlines: OutlineReads;
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

  constructor(root: NodePath, source: ChildSource, { position, open = [] }: InitialTree = {}) {
    this.#root = root;
    const listener = {
      page: (path: NodePath, id: number, response: LivePage) => this.#applyPage(path, id, response),
      failed: (path: NodePath, error: unknown) => this.#fail(path, error),
      ended: () => this.#lose(),
    };
    this.#reads = new PageReads(source, listener);
    this.#streams = new PageStreams(source, {
      ...listener,
      page: (path, id, response) => {
        this.#reads.cancel(id);
        listener.page(path, id, response);
      },
    });
    this.#outlines = new OutlineReads(source, {
      read: (path) => this.#applyOutline(path),
      counted: () => this.#notify(),
    });
    this.#branches = new Map([
      [root, openRoot(root, source, position)],
      ...open.map((path) => [path, openBranch(path)] as const),
    ]);
    this.#rows = this.#arrange(this.#branches);
  }

  /** Starts to read and follow pages, until the model is disposed. */
  start(): void {
    this.#polling = setInterval(() => this.#poll(), POLL_MS);
    document.addEventListener('visibilitychange', this.#onVisibility);
    // The first page is not read if it was prefetched.
    const { node = null } = this.#branches.get(this.#root) ?? {};
    if (isLarge(node)) this.#outlines.request(this.#root);
    this.#readAndSettle();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#polling);
    for (const delay of [this.#settling, this.#retrying, this.#gathering, this.#fading]) delay.cancel();
    document.removeEventListener('visibilitychange', this.#onVisibility);
    this.#reads.stop();
    this.#streams.stop();
    this.#outlines.stop();
  }

  get rows(): TreeRows {
    return this.#rows;
  }

  get connection(): TreeConnection {
    return this.#connection;
  }

  /** The same object until the number or its kind changes. */
  get rootCount(): RootCount {
    const { node } = this.#branches.get(this.#root) ?? {};
    if (node === undefined) return UNKNOWN;
    return isLarge(node) ? (this.#outlines.findCount(this.#root) ?? UNKNOWN) : NOT_OUTLINED;
  }

  /** Stops reading the outline of the root. The tree is then as high as its known rows. */
  stopOutline(): void {
    this.#outlines.stopRead(this.#root);
  }

  /** Reads the outline of the root again. */
  restartOutline(): void {
    this.#outlines.forget(this.#root);
    this.#outlines.request(this.#root);
  }

  readonly subscribe = (notify: () => void): (() => void) => {
    this.#listeners.add(notify);
    return () => this.#listeners.delete(notify);
  };

  /** Sets the rows on the screen. */
  show(first: number, last: number): void {
    if (this.#screen.first === first && this.#screen.last === last) return;
    this.#screen = { first, last };
    this.#read();
    this.#settling.beginAgain();
  }

  /** Shows staged edits over the current data. If there are fewer than before, reads the visible pages again. */
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

  /** Closes a node. Open nodes below it stay open for when it is opened again. */
  close(path: NodePath): void {
    this.#outlines.forget(path);
    this.#change(new Map([...this.#branches].filter(([at]) => at !== path)));
  }

  /** Shows the children of a node from a position on. */
  jump(path: NodePath, position: PagePosition): void {
    const branch = outlineBranch(openBranch(path, position), this.#outlines.find(path));
    this.#change(new Map([...this.#branches, [path, branch]]));
  }

  /** Stops following the last children of a node, and keeps the rows in position. */
  leaveTail(path: NodePath): void {
    const branch = this.#branches.get(path);
    if (branch?.pages[0]?.position.kind !== 'last') return;
    this.#streams.stop();
    const settled = outlineBranch(settleTail(branch), this.#outlines.find(path));
    this.#change(new Map([...this.#branches, [path, settled]]));
  }

  /** Pauses or resumes following changes by others. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#setConnection(isPaused ? 'paused' : 'live');
    if (isPaused) this.#streams.stop();
    else this.#settling.begin();
  }

  /** Reads the visible pages again, and nodes that could not be read. */
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

  /** Reads pages on or near the screen that are stale or not loaded. */
  #read(): void {
    this.#splitLongPages();
    this.#reads.read(runsNear(this.#rows, this.#screen, AHEAD));
  }

  /** Divides long unread pages near the screen, so that the parts near the screen can be read. */
  #splitLongPages(): void {
    while (!this.#reads.isFull) {
      const found = findLongUnread(this.#rows, this.#screen);
      if (found === undefined) return;
      const branch = this.#branches.get(found.path);
      if (branch === undefined) return;
      const split = splitPage(branch, found.id, found.offset);
      if (split === branch) return;
      this.#branches = new Map([...this.#branches, [branch.path, split]]);
      this.#rows = this.#arrange(this.#branches);
    }
  }

  #applyOutline(path: NodePath): void {
    const branch = this.#branches.get(path);
    if (branch !== undefined)
      this.#change(new Map([...this.#branches, [path, outlineBranch(branch, this.#outlines.find(path))]]));
  }

  #applyPage(path: NodePath, id: number, response: LivePage): void {
    const branch = this.#branches.get(path);
    if (branch === undefined) return;
    if (isLarge(response.node)) this.#outlines.request(path);
    else this.#outlines.forget(path);
    const placed = applyPage(branch, id, response, Date.now(), fadeOutMs());
    const filled = joinUnreadPages(outlineBranch(placed, this.#outlines.find(path)));
    const branches = new Map([...this.#branches, [path, filled] as const]);
    if (this.#connection === 'lost') this.#setConnection('live');
    this.#change(releaseFarPages(branches, () => this.#arrange(branches), this.#screen));
    if (hasRemovedRows(filled)) this.#fading.begin();
    this.#refreshBelow(path, response.changed ?? []);
  }

  /** Drops removed rows that have faded out. */
  #dropFaded(): void {
    const untilMs = Date.now() - MOTION.flashMs;
    this.#change(
      new Map([...this.#branches].map(([path, branch]) => [path, dropRemovedRows(branch, untilMs)])),
    );
    if ([...this.#branches.values()].some(hasRemovedRows)) this.#fading.begin();
  }

  #fail(path: NodePath, error: unknown): void {
    const branch = this.#branches.get(path);
    if (isTransient(error)) this.#lose();
    else if (branch !== undefined) this.#change(new Map([...this.#branches, [path, { ...branch, error }]]));
  }

  /** Keeps the rows and retries after a delay, because the server does not respond. */
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

  /** Marks visible pages below changed children as stale, unless they have their own stream. */
  #refreshBelow(path: NodePath, changed: readonly string[]): void {
    if (changed.length === 0) return;
    const touched = changed.map((key) => joinPath(path, key));
    for (const { path: below, page } of this.#visiblePages())
      if (!this.#streams.has(page.id) && touched.some((above) => isAtOrBelow(below, above)))
        this.#reads.markStale(page.id);
    if (this.#reads.hasStale) this.#gathering.begin();
  }

  /** Reads visible pages again if no stream reports their changes. */
  #poll(): void {
    if (this.#isPaused || document.hidden || this.#connection === 'lost') return;
    const visible = this.#visiblePages();
    const followed = visible.filter(({ page }) => this.#streams.has(page.id));
    for (const one of visible) if (!isNotifiedBy(one, followed)) this.#reads.markStale(one.page.id);
    this.#read();
  }

  /** Stops the streams while the window is hidden, because browsers limit the number of connections. */
  readonly #onVisibility = (): void => {
    if (document.hidden) this.#streams.stop();
    else this.#settling.begin();
  };
}
