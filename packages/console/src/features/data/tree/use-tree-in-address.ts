import { useEffect } from 'react';
import { useLocation } from 'react-router';
import type { NodePath } from '../model/node-path.ts';
import { printOpenNodes } from '../model/open-nodes.ts';
import type { DataPlace } from '../model/use-data-place.ts';
import type { TreeRows } from './tree-rows.ts';

/** How long the tree stays as it is before the address says so, in milliseconds. */
const ADDRESS_MS = 400;

/** Keeps the active line and the open nodes in the address, so that a link leads back to them. */
export function useTreeInAddress(
  active: NodePath | null,
  { branches }: TreeRows,
  { path: root, parameters, replace }: DataPlace,
): void {
  const open = printOpenNodes(
    root,
    [...branches.keys()].filter((path) => path !== root),
  );
  const toldActive = parameters.get('row');
  const toldOpen = parameters.get('open');
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (active === toldActive && open === toldOpen) return;
    const timer = setTimeout(() => {
      // Somebody may be on the way to another address, which is not drawn yet: it is not taken back.
      const isHere = location.search === search && location.pathname.endsWith(pathname);
      if (isHere) replace({ row: active, open });
    }, ADDRESS_MS);
    return () => clearTimeout(timer);
  }, [active, toldActive, open, toldOpen, replace, pathname, search]);
}
