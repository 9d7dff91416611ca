import type { MouseEvent } from 'react';
import { findIndex, findRow, type NodeRow, type TreeRows } from './tree-rows.ts';

/** The line under the mouse, and what of it. */
interface Hit {
  readonly row: NodeRow;
  readonly act: string | undefined;
  readonly element: Element;
}

/** What the mouse is on; `undefined` where there is no line. What is in an editor is none of the tree's. */
export function findHit(rows: TreeRows, { target }: MouseEvent): Hit | undefined {
  if (!(target instanceof Element) || target.closest('[data-editor]') !== null) return undefined;
  const line = target.closest<HTMLElement>('[data-path]');
  const path = line?.dataset['path'];
  if (path === undefined) return undefined;
  const row = findRow(rows, findIndex(rows, path));
  if (row?.kind !== 'node') return undefined;
  const element = target.closest<HTMLElement>('[data-act]');
  return { row, act: element?.dataset['act'], element: element ?? target };
}
