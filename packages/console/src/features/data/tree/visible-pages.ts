import { isAtOrBelow, joinPath } from '../model/node-path.ts';
import type { VisiblePage } from './choose-pages.ts';
import type { RowRun, TreeRows } from './tree-rows.ts';

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
export function isToldBy({ path, page }: VisiblePage, followed: readonly VisiblePage[]): boolean {
  return followed.some(
    (other) =>
      other.page.id === page.id ||
      other.page.rows?.some(({ key }) => isAtOrBelow(path, joinPath(other.path, key))),
  );
}
