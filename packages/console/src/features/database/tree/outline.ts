import { compareKeys } from '@hearth/core/tree/key.ts';
import { MAX_SKIPPED, PAGE_SIZE } from '../../../api/children-address.ts';
import type { NodeSummary, Outline } from '../../../api/data.ts';
import { type Branch, type BranchPage, newPage } from './branch.ts';

/** Returns whether a node has so many children that its height needs an outline. */
export function isLarge(node: NodeSummary | null): boolean {
  return node?.kind === 'object' && node.isCountPartial;
}

/**
 * Divides unread pages of unknown height at the keys of an outline, and gives the parts the height of their children.
 * Heights between two keys are estimates. Pages of a followed end stay as they are.
 */
export function outlineBranch(branch: Branch, outline: Outline | undefined): Branch {
  const { pages } = branch;
  if (outline === undefined || pages[0]?.position.kind === 'last' || !pages.some(isUnsized)) return branch;
  const sized: BranchPage[] = [];
  let index = 0;
  for (const [at, page] of pages.entries()) {
    const start = startKeyOf(page);
    if (at === 0 && start !== null) index = indexOfKey(start, outline);
    if (!isUnsized(page)) {
      sized.push(page);
      index += page.count;
      continue;
    }
    const end = startKeyOf(pages[at + 1]);
    const endIndex = end === null ? outline.count : indexOfKey(end, outline);
    sized.push(...dividePage(page, { start, end, index, endIndex }, outline));
    index = Math.max(index + 1, endIndex);
  }
  return { ...branch, pages: sized };
}

function isUnsized({ rows, firstKey, isSized }: BranchPage): boolean {
  return rows === null && firstKey === null && !isSized;
}

/** Returns the key at or after which a page begins; `null` if it begins with the first child. */
function startKeyOf(page: BranchPage | undefined): string | null {
  return page?.position.kind === 'from' || page?.position.kind === 'after' ? page.position.key : null;
}

/** Returns the number of keys of an outline that are before a key, or equal to it. */
function countKeysTo(key: string, { keys }: Outline): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareKeys(keys[middle] ?? '', key) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the index of a child with this key: exact for the keys of the outline, and an estimate between them. */
function indexOfKey(key: string, outline: Outline): number {
  const { keys, stride, count } = outline;
  const before = countKeysTo(key, outline);
  const isExact = keys[before - 1] === key;
  return Math.min(count, before * stride + (isExact ? 0 : Math.floor(stride / 2)));
}

/** The part of a node's children that an unread page stands for. */
interface UnreadRange {
  readonly start: string | null;
  /** Key at or after which the next page begins. */
  readonly end: string | null;
  readonly index: number;
  readonly endIndex: number;
}

function dividePage(page: BranchPage, range: UnreadRange, outline: Outline): readonly BranchPage[] {
  const { keys, stride } = outline;
  const { start, end, index, endIndex } = range;
  const from = start === null ? 0 : countKeysTo(start, outline);
  const until = end === null ? keys.length : countKeysTo(end, outline) - (keys.includes(end) ? 1 : 0);
  // A key whose child is on an earlier page divides nothing.
  const first = Math.max(from, Math.floor(index / stride));
  const inside = keys.slice(first, Math.max(first, until));
  const top = page.position.kind === 'before' ? newPage({ kind: 'first' }) : page;
  const parts = [top, ...inside.map((key) => newPage({ kind: 'from', key }))];
  const starts = [index, ...inside.map((_key, at) => (first + at + 1) * stride), endIndex];
  return parts.map((part, at) => ({
    ...part,
    count: Math.max(1, (starts[at + 1] ?? 0) - (starts[at] ?? 0)),
    isSized: true,
  }));
}

/** Returns whether a page was never read and has more children than one response. */
export function isLongUnread({ rows, firstKey, count }: BranchPage): boolean {
  return rows === null && firstKey === null && count > PAGE_SIZE;
}

/** Number of children before the screen that are read with it. */
const READ_BEFORE = 50;

/** Divides a long unread page, so that one part is a page around the child at an offset. */
export function splitPage(branch: Branch, id: number, offset: number): Branch {
  const at = branch.pages.findIndex((page) => page.id === id);
  const page = branch.pages[at];
  if (page === undefined || !isLongUnread(page) || page.position.kind === 'before') return branch;
  const { position, skipped, count } = page;
  const before = Math.max(0, Math.min(offset - READ_BEFORE, count - PAGE_SIZE, MAX_SKIPPED - skipped));
  const after = count - before - PAGE_SIZE;
  const part = (from: number, partCount: number): readonly BranchPage[] =>
    partCount <= 0
      ? []
      : [{ ...newPage(position), skipped: skipped + from, count: partCount, isSized: true }];
  return {
    ...branch,
    pages: branch.pages.toSpliced(
      at,
      1,
      ...part(0, before),
      ...part(before, PAGE_SIZE),
      ...part(before + PAGE_SIZE, after),
    ),
  };
}

/** Maximum number of pages of one node that the tree distinguishes. */
const MAX_PAGES = 5_000;

/** Joins unread pages if there are too many. Scrolling there divides them again. */
export function joinUnreadPages(branch: Branch, maxPages = MAX_PAGES): Branch {
  if (branch.pages.length <= maxPages) return branch;
  const pages: BranchPage[] = [];
  for (const page of branch.pages) {
    const last = pages.at(-1);
    if (last !== undefined && mayJoin(last, page))
      pages[pages.length - 1] = {
        ...last,
        count: last.count + page.count,
        firstKey: null,
        isSized: true,
      };
    else pages.push(page);
  }
  return { ...branch, pages };
}

function mayJoin(before: BranchPage, page: BranchPage): boolean {
  return (
    before.rows === null &&
    page.rows === null &&
    before.position.kind !== 'before' &&
    before.skipped + before.count + page.count <= MAX_SKIPPED
  );
}
