import { compareKeys } from '@hearth/core/tree/key.ts';
import { PAGE_SIZE, type PagePosition, type PageRequest } from '../../../api/children-address.ts';
import type { ChildPage, ChildRow, LivePage, NodeSummary } from '../../../api/data.ts';
import type { NodePath } from '../model/node-path.ts';
import type { RowStage } from '../staging/overlay.ts';

/** A child as a page holds it. */
export type BranchRow = ChildRow & {
  /** When somebody else removed it, in milliseconds since 1970: it is shown for a moment longer. */
  readonly removedAtMs?: number;
  /** What staged edits make of it. */
  readonly staged?: RowStage;
};

/** Rows of one page that fade at a time; when more go at once, they are gone at once. */
const MAX_REMOVED = 50;

/**
 * The rows of a page, and between them those that others have removed less than `fadeOutMs` ago. What was only pushed off
 * the page by others is not among them.
 */
export function withRemovedRows(
  before: readonly BranchRow[],
  rows: readonly ChildRow[],
  answer: ChildPage,
  atMs: number,
  fadeOutMs: number,
): readonly BranchRow[] {
  const present = new Set(rows.map(({ key }) => key));
  const removed = before
    .filter(({ key }) => !present.has(key) && isWithin(key, answer))
    .map((row) => ({ ...row, removedAtMs: row.removedAtMs ?? atMs }))
    .filter(({ removedAtMs }) => atMs - removedAtMs < fadeOutMs);
  if (removed.length === 0 || removed.length > MAX_REMOVED) return rows;
  return [...rows, ...removed].sort((a, b) => compareKeys(a.key, b.key));
}

/** Would a key be on the page if there were such a child? */
function isWithin(key: string, { children, previous, next }: ChildPage): boolean {
  const first = children[0]?.key;
  const last = children.at(-1)?.key;
  const isAfterFirst = previous === null || (first !== undefined && compareKeys(key, first) > 0);
  const isBeforeLast = next === null || (last !== undefined && compareKeys(key, last) < 0);
  return isAfterFirst && isBeforeLast;
}

/**
 * A stretch of a node's children. It begins at `location` and ends where the next page begins, so that a page whose rows were
 * let go can be read again when it is scrolled to.
 */
export interface BranchPage {
  readonly id: number;
  readonly place: PagePosition;
  /** Rows that it takes on the screen: those it has, or had when it was read, or one if it never was. */
  readonly count: number;
  /** `null` while they are not held. */
  readonly rows: readonly BranchRow[] | null;
  /** Key of its first row, when it was read last. */
  readonly firstKey: string | null;
  /** Keys of children that others have changed since the page was read, and when, in milliseconds since 1970. */
  readonly changes: ReadonlyMap<string, number>;
}

/** A node that is open in the tree: the part of its children that is known. */
export interface Branch {
  readonly path: NodePath;
  /** `undefined` until it was read; `null` when there is no node. */
  readonly node: NodeSummary | null | undefined;
  readonly pages: readonly BranchPage[];
  /** Why its children could not be read. */
  readonly error: unknown;
}

let lastPageId = 0;

function newPage(location: PagePosition): BranchPage {
  lastPageId += 1;
  return { id: lastPageId, place: location, count: 1, rows: null, firstKey: null, changes: NO_CHANGES };
}

const NO_CHANGES: ReadonlyMap<string, number> = new Map();

/** A node of which nothing is known yet, to be read from a place on. */
export function openBranch(path: NodePath, location: PagePosition = { kind: 'first' }): Branch {
  return { path, node: undefined, pages: [newPage(location)], error: undefined };
}

/**
 * Puts an answer in the place of one of the pages. What the answer shows of stretches around it becomes pages of their
 * own, without rows until they are scrolled to. Rows that are not there any more stay for `fadeOutMs`.
 */
export function positionAnswer(
  branch: Branch,
  pageId: number,
  answer: LivePage,
  atMs: number,
  fadeOutMs = 0,
): Branch {
  const index = branch.pages.findIndex(({ id }) => id === pageId);
  const page = branch.pages[index];
  if (page === undefined) return branch;
  const next = branch.pages[index + 1];
  const rows =
    next === undefined ? answer.children : answer.children.filter(({ key }) => isBefore(key, next.place));
  const isCut = rows.length < answer.children.length;
  const pages = [
    ...pagesBefore(page, index, answer),
    ...(rows.length === 0 && next !== undefined ? [] : [filledPage(page, rows, answer, atMs, fadeOutMs)]),
    // What ends where the next page begins leaves nothing between.
    ...(page.place.kind === 'before' ? [] : pagesAfter(rows, isCut, answer)),
  ];
  return {
    ...branch,
    node: answer.node,
    error: undefined,
    pages: branch.pages.toSpliced(index, 1, ...pages),
  };
}

/** Does a key come before the page that begins at a place? */
function isBefore(key: string, location: PagePosition): boolean {
  switch (location.kind) {
    case 'after':
      return compareKeys(key, location.key) <= 0;
    case 'from':
      return compareKeys(key, location.key) < 0;
    default:
      return true;
  }
}

function filledPage(
  page: BranchPage,
  rows: readonly ChildRow[],
  answer: LivePage,
  atMs: number,
  fadeOutMs: number,
): BranchPage {
  const firstKey = rows[0]?.key ?? null;
  const shown = withRemovedRows(page.rows ?? [], rows, answer, atMs, fadeOutMs);
  return {
    ...page,
    place: settledPosition(page.place, firstKey, answer),
    rows: shown,
    count: shown.length,
    firstKey,
    changes: recordChanges(page, rows, answer.changed, atMs),
  };
}

/** Where a page is that was found from its end. */
function settledPosition(location: PagePosition, firstKey: string | null, answer: ChildPage): PagePosition {
  if (location.kind !== 'before') return location;
  return answer.previous === null || firstKey === null ? { kind: 'first' } : { kind: 'from', key: firstKey };
}

/** Only the first page can have others before it that are not known. */
function pagesBefore(page: BranchPage, index: number, answer: ChildPage): readonly BranchPage[] {
  const mayHave = index === 0 && (page.place.kind === 'from' || page.place.kind === 'before');
  return mayHave && answer.previous !== null ? [newPage({ kind: 'before', key: answer.previous })] : [];
}

function pagesAfter(rows: readonly ChildRow[], isCut: boolean, answer: ChildPage): readonly BranchPage[] {
  const last = rows.at(-1);
  return isCut || answer.next === null || last === undefined
    ? []
    : [newPage({ kind: 'after', key: last.key })];
}

/** What others have changed: what the server says so of, and what differs from the rows before. */
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
  const changed = rows.filter((row) => reported.has(row.key) || isOther(known.get(row.key), row));
  if (changed.length === 0) return before.changes;
  const present = new Set(rows.map(({ key }) => key));
  return new Map([
    ...[...before.changes].filter(([key]) => present.has(key)),
    ...changed.map(({ key }) => [key, atMs] as const),
  ]);
}

function isOther(before: ChildRow | undefined, row: ChildRow): boolean {
  if (before === undefined || before.kind !== row.kind || before.priority !== row.priority) return true;
  if (row.kind === 'object')
    return before.kind !== 'object' || before.childCount !== row.childCount || before.preview !== row.preview;
  return before.kind === 'object' || before.value !== row.value;
}

/** Keeps the tail where it is, once it is not followed any more: what came before it can then be scrolled to. */
export function settleTail(branch: Branch): Branch {
  const [tail] = branch.pages;
  if (tail?.place.kind !== 'last' || tail.firstKey === null) return branch;
  const { firstKey } = tail;
  return {
    ...branch,
    pages: [newPage({ kind: 'before', key: firstKey }), { ...tail, place: { kind: 'from', key: firstKey } }],
  };
}

/** Lets go of the rows of some pages; they keep their height. */
export function releasePages(branch: Branch, ids: ReadonlySet<number>): Branch {
  return {
    ...branch,
    pages: branch.pages.map((page) =>
      ids.has(page.id) && page.rows !== null ? { ...page, rows: null, changes: NO_CHANGES } : page,
    ),
  };
}

/** Forgets pages far from the one in view, so that at most `maxRows` are known; they are found again by scrolling there. */
export function trimBranch(branch: Branch, keepId: number, maxRows: number): Branch {
  const { pages } = branch;
  const keep = pages.findIndex(({ id }) => id === keepId);
  let known = pages.reduce((sum, { count }) => sum + count, 0);
  let first = 0;
  let last = pages.length - 1;
  while (known > maxRows && first < last) {
    const isFrontFarther = keep - first >= last - keep;
    known -= pages[isFrontFarther ? first : last]?.count ?? 0;
    if (isFrontFarther) first += 1;
    else last -= 1;
  }
  if (first === 0 && last === pages.length - 1) return branch;
  const kept = pages.slice(first, last + 1);
  const front = first === 0 ? undefined : kept[0];
  const cut = pages[last + 1];
  return {
    ...branch,
    pages: [
      ...(front?.firstKey == null
        ? kept
        : [
            newPage({ kind: 'before', key: front.firstKey }),
            { ...front, place: { kind: 'from', key: front.firstKey } as const },
            ...kept.slice(1),
          ]),
      ...(cut === undefined ? [] : [newPage(cut.place)]),
    ],
  };
}

/** Are there rows that fade? */
export function hasRemovedRows({ pages }: Branch): boolean {
  return pages.some(({ rows }) => rows?.some(({ removedAtMs }) => removedAtMs !== undefined));
}

/** The branch without rows that were removed at a time or before. */
export function dropRemovedRows(branch: Branch, untilMs: number): Branch {
  if (!hasRemovedRows(branch)) return branch;
  const pages = branch.pages.map((page) => {
    const rows =
      page.rows?.filter(({ removedAtMs }) => removedAtMs === undefined || removedAtMs > untilMs) ?? null;
    return rows === null || rows.length === page.rows?.length ? page : { ...page, rows, count: rows.length };
  });
  return { ...branch, pages };
}

/** Where a tree gets its pages from. */
export interface ChildSource {
  /** A page that is there without being read, for whoever takes it first. */
  takeKnown?(request: PageRequest): ChildPage | undefined;
  read(request: PageRequest, signal: AbortSignal): Promise<ChildPage>;
  /** A page, and again after each change; ends when the server does. */
  follow(request: PageRequest, signal: AbortSignal): AsyncIterable<LivePage>;
}

/** The node that a tree begins at, with its first page where that is known already. */
export function beginBranch(
  path: NodePath,
  source: ChildSource,
  location: PagePosition = { kind: 'first' },
): Branch {
  const branch = openBranch(path, location);
  const [page] = branch.pages;
  const known = source.takeKnown?.({ path, place: location, limit: PAGE_SIZE });
  return page === undefined || known === undefined
    ? branch
    : positionAnswer(branch, page.id, known, Date.now());
}
