import { compareKeys } from '@hearth/core/tree/key.ts';
import type { ChildPage, ChildRow } from '../../../server/data.ts';
import type { BranchRow } from './branch-row.ts';

/** Rows of one page that fade at a time; when more go at once, they are gone at once. */
const MAX_GONE = 50;

/**
 * The rows of a page, and between them those that others have removed less than `lingerMs` ago. What was only pushed off
 * the page by others is not among them.
 */
export function withGoneRows(
  before: readonly BranchRow[],
  rows: readonly ChildRow[],
  answer: ChildPage,
  atMs: number,
  lingerMs: number,
): readonly BranchRow[] {
  const present = new Set(rows.map(({ key }) => key));
  const gone = before
    .filter(({ key }) => !present.has(key) && isWithin(key, answer))
    .map((row) => ({ ...row, goneAtMs: row.goneAtMs ?? atMs }))
    .filter(({ goneAtMs }) => atMs - goneAtMs < lingerMs);
  if (gone.length === 0 || gone.length > MAX_GONE) return rows;
  return [...rows, ...gone].sort((a, b) => compareKeys(a.key, b.key));
}

/** Would a key be on the page if there were such a child? */
function isWithin(key: string, { children, previous, next }: ChildPage): boolean {
  const first = children[0]?.key;
  const last = children.at(-1)?.key;
  const isAfterFirst = previous === null || (first !== undefined && compareKeys(key, first) > 0);
  const isBeforeLast = next === null || (last !== undefined && compareKeys(key, last) < 0);
  return isAfterFirst && isBeforeLast;
}
