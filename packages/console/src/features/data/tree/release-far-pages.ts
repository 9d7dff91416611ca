import { joinPath, lastKeyOf, type NodePath } from '../model/node-path.ts';
import { type Branch, releasePages } from './branch.ts';
import type { TreeRows } from './tree-rows.ts';
import type { TreeScreen } from './visible-pages.ts';

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
