import { compareKeys } from '@hearth/core/tree/key.ts';
import { PAGE_SIZE, type PagePosition, type PageRequest } from '../../../api/children-address.ts';
import type { ChildPage, ChildRow, LivePage, NodeSummary, Outline } from '../../../api/data.ts';
import type { NodePath } from '../model/node-path.ts';
import type { RowStage } from '../staging/overlay.ts';

/** A child in a page. */
export type BranchRow = ChildRow & {
  /** When the tree received the removal of the child, in milliseconds since 1970. The row then fades out. */
  readonly removedAtMs?: number;
  /** The effect of staged edits on the child. */
  readonly staged?: RowStage;
};

/** Maximum number of rows of one page that fade out together. If more are removed together, they disappear immediately. */
const MAX_REMOVED = 50;

/**
 * Returns the rows of a page, merged with the rows that were removed less than `fadeOutMs` ago. Rows that only moved to
 * another page are not included.
 */
export function withRemovedRows(
  before: readonly BranchRow[],
  rows: readonly ChildRow[],
  response: ChildPage,
  atMs: number,
  fadeOutMs: number,
): readonly BranchRow[] {
  const present = new Set(rows.map(({ key }) => key));
  const removed = before
    .filter(({ key }) => !present.has(key) && isWithin(key, response))
    .map((row) => ({ ...row, removedAtMs: row.removedAtMs ?? atMs }))
    .filter(({ removedAtMs }) => atMs - removedAtMs < fadeOutMs);
  if (removed.length === 0 || removed.length > MAX_REMOVED) return rows;
  return [...rows, ...removed].sort((a, b) => compareKeys(a.key, b.key));
}

/** Returns whether a child with this key would be on the page. */
function isWithin(key: string, { children, previous, next }: ChildPage): boolean {
  const first = children[0]?.key;
  const last = children.at(-1)?.key;
  const isAfterFirst = previous === null || (first !== undefined && compareKeys(key, first) > 0);
  const isBeforeLast = next === null || (last !== undefined && compareKeys(key, last) < 0);
  return isAfterFirst && isBeforeLast;
}

/**
 * A range of a node's children. It begins at `position` and ends where the next page begins, so that a page whose rows were released
 * can be read again when the user scrolls to it.
 */
export interface BranchPage {
  readonly id: number;
  readonly position: PagePosition;
  /** Number of children at the position that are on earlier pages, as far as it is known; 0 once the page is read. */
  readonly skipped: number;
  /** Whether an outline of the node decided the height. The page then ends where the next one begins. */
  readonly isSized: boolean;
  /** Height in rows: the number of its rows when it was last read. Before, an estimate, or 1. */
  readonly count: number;
  /** `null` while the rows are not loaded. */
  readonly rows: readonly BranchRow[] | null;
  /** Key of its first row when it was last read. */
  readonly firstKey: string | null;
  /** Times, in milliseconds since 1970, at which the tree received changes of children since the page was read, by key. */
  readonly changes: ReadonlyMap<string, number>;
}

/** An open node of the tree, with the known part of its children. */
export interface Branch {
  readonly path: NodePath;
  /** `undefined` until it is read; `null` if the node does not exist. */
  readonly node: NodeSummary | null | undefined;
  readonly pages: readonly BranchPage[];
  /** The reason why its children could not be read. */
  readonly error: unknown;
}

let lastPageId = 0;

/** Returns an unread page. */
export function newPage(position: PagePosition): BranchPage {
  lastPageId += 1;
  return {
    id: lastPageId,
    position,
    skipped: 0,
    isSized: false,
    count: 1,
    rows: null,
    firstKey: null,
    changes: NO_CHANGES,
  };
}

const NO_CHANGES: ReadonlyMap<string, number> = new Map();

/** Returns an open node whose children are not read yet. The first page to read begins at `position`. */
export function openBranch(path: NodePath, position: PagePosition = { kind: 'first' }): Branch {
  return { path, node: undefined, pages: [newPage(position)], error: undefined };
}

/**
 * Replaces the rows of a page by a response. If the response shows that more children exist before or after the page, adds
 * unread pages for them. Removed rows stay for `fadeOutMs`.
 */
export function applyPage(
  branch: Branch,
  pageId: number,
  response: LivePage,
  atMs: number,
  fadeOutMs = 0,
): Branch {
  const index = branch.pages.findIndex(({ id }) => id === pageId);
  const page = branch.pages[index];
  if (page === undefined) return branch;
  const later = branch.pages.slice(index + 1);
  // A page that skips children begins where the page before it ends, so it does not limit that page.
  const limiting = later.findIndex(({ skipped }) => skipped === 0);
  const next = later[limiting];
  const found = response.children.filter(
    ({ key }) => page.skipped === 0 || !isBeforeStart(key, page.position),
  );
  const inRange = next === undefined ? found : found.filter(({ key }) => isBefore(key, next.position));
  const isCut = inRange.length < found.length;
  // One more child was read than the page has, to know whether the next page begins immediately after it.
  const rows = page.isSized ? inRange.slice(0, PAGE_SIZE) : inRange;
  const hasMore = rows.length < inRange.length || (response.next !== null && !isCut);
  const skipping = limiting < 0 ? later : later.slice(0, limiting);
  const isEnd = !hasMore && !isCut;
  const kept = limiting < 0 ? [] : later.slice(limiting).filter((one) => !isEnd || one.rows !== null);
  const pages = [
    ...pagesBefore(page, index, response),
    ...(rows.length === 0 && kept.length + skipping.length > 0
      ? []
      : [filledPage(page, rows, response, atMs, fadeOutMs)]),
    // A page that was read backwards ends where the next page begins, so nothing is between them.
    ...(page.position.kind === 'before' ? skipping : pagesAfter(rows, hasMore, skipping, next)),
    ...kept,
  ];
  return {
    ...branch,
    node: response.node,
    error: undefined,
    pages: [...branch.pages.slice(0, index), ...pages],
  };
}

/** Returns whether a key is before the page that begins at a position. */
function isBefore(key: string, position: PagePosition): boolean {
  switch (position.kind) {
    case 'after':
      return compareKeys(key, position.key) <= 0;
    case 'from':
      return compareKeys(key, position.key) < 0;
    default:
      return true;
  }
}

/** Returns whether a key is before a page that begins at a position. Nothing is before a page without a key. */
function isBeforeStart(key: string, position: PagePosition): boolean {
  return 'key' in position && isBefore(key, position);
}

function filledPage(
  page: BranchPage,
  rows: readonly ChildRow[],
  response: LivePage,
  atMs: number,
  fadeOutMs: number,
): BranchPage {
  const firstKey = rows[0]?.key ?? null;
  const shown = withRemovedRows(page.rows ?? [], rows, response, atMs, fadeOutMs);
  return {
    ...page,
    position: settledPosition(page, firstKey, response),
    skipped: 0,
    rows: shown,
    count: shown.length,
    firstKey,
    changes: recordChanges(page, rows, response.changed, atMs),
  };
}

/** Returns the position of a page after its response. A page that was read backwards, or skipped children, now begins at its first key. */
function settledPosition(
  { position, skipped }: BranchPage,
  firstKey: string | null,
  response: ChildPage,
): PagePosition {
  if (position.kind !== 'before' && skipped === 0) return position;
  return response.previous === null || firstKey === null
    ? { kind: 'first' }
    : { kind: 'from', key: firstKey };
}

/** Returns an unread page before the first page, if the response shows that earlier children exist. */
function pagesBefore(page: BranchPage, index: number, response: ChildPage): readonly BranchPage[] {
  const { position, skipped } = page;
  const mayHave = index === 0 && (position.kind === 'from' || position.kind === 'before' || skipped > 0);
  return mayHave && response.previous !== null ? [newPage({ kind: 'before', key: response.previous })] : [];
}

/**
 * Returns the unread pages between a page and `next`. `skipping` are those known before. The first of them now begins
 * after the last row.
 */
function pagesAfter(
  rows: readonly ChildRow[],
  hasMore: boolean,
  skipping: readonly BranchPage[],
  next: BranchPage | undefined,
): readonly BranchPage[] {
  const last = rows.at(-1);
  if (!hasMore || last === undefined) return [];
  const [first, ...others] = skipping;
  if (first !== undefined)
    return [{ ...first, position: { kind: 'after', key: last.key }, skipped: 0 }, ...others];
  const isAdjacent = next?.position.kind === 'after' && next.position.key === last.key;
  return isAdjacent ? [] : [newPage({ kind: 'after', key: last.key })];
}

/** Returns the changes of a page, with the rows that the server reports as changed, or that differ from before. */
function recordChanges(
  before: BranchPage,
  rows: readonly ChildRow[],
  touched: readonly string[] | undefined,
  atMs: number,
): ReadonlyMap<string, number> {
  if (before.rows === null) return NO_CHANGES;
  const known = new Map(
    before.rows.filter(({ removedAtMs }) => removedAtMs === undefined).map((row) => [row.key, row]),
  );
  const reported = new Set(touched);
  const changed = rows.filter((row) => reported.has(row.key) || isDifferent(known.get(row.key), row));
  if (changed.length === 0) return before.changes;
  const present = new Set(rows.map(({ key }) => key));
  return new Map([
    ...[...before.changes].filter(([key]) => present.has(key)),
    ...changed.map(({ key }) => [key, atMs] as const),
  ]);
}

function isDifferent(before: ChildRow | undefined, row: ChildRow): boolean {
  if (before === undefined || before.kind !== row.kind || before.priority !== row.priority) return true;
  if (row.kind === 'object')
    return (
      before.kind !== 'object' ||
      before.childCount !== row.childCount ||
      before.isCountPartial !== row.isCountPartial ||
      before.preview !== row.preview
    );
  return before.kind === 'object' || before.value !== row.value;
}

/** Turns the followed last page into a page with a fixed start, so that the user can scroll to the children before it. */
export function settleTail(branch: Branch): Branch {
  const [tail] = branch.pages;
  if (tail?.position.kind !== 'last' || tail.firstKey === null) return branch;
  const { firstKey } = tail;
  return {
    ...branch,
    pages: [
      newPage({ kind: 'before', key: firstKey }),
      { ...tail, position: { kind: 'from', key: firstKey } },
    ],
  };
}

/** Releases the rows of some pages, which keep their height. */
export function releasePages(branch: Branch, ids: ReadonlySet<number>): Branch {
  return {
    ...branch,
    pages: branch.pages.map((page) =>
      ids.has(page.id) && page.rows !== null ? { ...page, rows: null, changes: NO_CHANGES } : page,
    ),
  };
}

/** Returns whether some rows are fading out. */
export function hasRemovedRows({ pages }: Branch): boolean {
  return pages.some(({ rows }) => rows?.some(({ removedAtMs }) => removedAtMs !== undefined));
}

/** Returns the branch without rows that were removed at or before `untilMs`. */
export function dropRemovedRows(branch: Branch, untilMs: number): Branch {
  if (!hasRemovedRows(branch)) return branch;
  const pages = branch.pages.map((page) => {
    const rows =
      page.rows?.filter(({ removedAtMs }) => removedAtMs === undefined || removedAtMs > untilMs) ?? null;
    return rows === null || rows.length === page.rows?.length ? page : { ...page, rows, count: rows.length };
  });
  return { ...branch, pages };
}

/** Returns the maximum number of children that are read with a page. */
export function limitOf({ isSized }: BranchPage): number {
  return isSized ? PAGE_SIZE + 1 : PAGE_SIZE;
}

/** The source of the pages of a tree. */
export interface ChildSource {
  /** Returns a prefetched page, only once for each page. */
  takePrefetched?(request: PageRequest): ChildPage | undefined;
  read(request: PageRequest, signal: AbortSignal): Promise<ChildPage>;
  /**
   * Returns the number of children of a node, and keys at even distances. `onCount` receives the number counted so far.
   */
  outline(path: NodePath, onCount: (count: number) => void, signal: AbortSignal): Promise<Outline>;
  /** Yields a page, and yields it again after each change. Ends when the server ends the stream. */
  follow(request: PageRequest, signal: AbortSignal): AsyncIterable<LivePage>;
}

/** Returns the root of a tree, with its first page if that was prefetched. */
export function openRoot(
  path: NodePath,
  source: ChildSource,
  position: PagePosition = { kind: 'first' },
): Branch {
  const branch = openBranch(path, position);
  const [page] = branch.pages;
  const known = source.takePrefetched?.({ path, position, limit: PAGE_SIZE });
  return page === undefined || known === undefined ? branch : applyPage(branch, page.id, known, Date.now());
}
