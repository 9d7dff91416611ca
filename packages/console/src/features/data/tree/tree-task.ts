import type { MoveRequest } from '../edit/move-dialog.tsx';
import type { NodePath } from '../model/node-path.ts';
import type { NodeRow } from './tree-rows.ts';

/** What is asked beside the tree before something is done. */
export type TreeTask =
  | { readonly kind: 'add'; readonly parent: NodePath }
  | { readonly kind: 'move'; readonly request: MoveRequest }
  | { readonly kind: 'remove'; readonly paths: readonly NodePath[] }
  | {
      readonly kind: 'menu';
      readonly row: NodeRow;
      readonly at: { readonly left: number; readonly top: number };
    };
