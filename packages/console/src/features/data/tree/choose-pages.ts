import type { NodePath } from '../model/node-path.ts';
import type { BranchPage } from './branch.ts';

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
