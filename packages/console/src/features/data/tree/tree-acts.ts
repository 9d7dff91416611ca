import type { NodePath } from '../model/node-path.ts';
import type { NodeRow } from './tree-rows.ts';

/** What lines of the tree ask for. */
export interface TreeActs {
  edit(row: NodeRow): void;
  add(row: NodeRow): void;
  remove(paths: readonly NodePath[]): void;
  /** Shows a node, and nothing around it. */
  enter(path: NodePath): void;
  openMenu(row: NodeRow, at: { readonly left: number; readonly top: number }): void;
}
