import type { CheckedWrite, NodeText } from '../../../api/data-nodes.ts';
import type { NodePath } from '../model/node-path.ts';
import type { PastedRow } from './change-nodes.ts';
import type { MoveRequest } from './node-dialogs.tsx';

/** Changes of nodes, each told in passing and, where that is possible, taken back from there. */
export interface NodeActions {
  /** Are changes only staged? */
  readonly isStaged: boolean;
  add(parent: NodePath, key: string, value: unknown): Promise<void>;
  move(request: MoveRequest, to: NodePath): Promise<void>;
  remove(paths: readonly NodePath[]): Promise<void>;
  paste(rows: readonly PastedRow[]): Promise<void>;
  /** A node to be edited: its text as it is to be shown, and a hash that `write` knows again. */
  read(path: NodePath): Promise<NodeText>;
  /** Puts text in the place of a node that is as it was read. */
  write(path: NodePath, node: NodeText): Promise<CheckedWrite>;
  /** `hashAfter` is that of what was written: only that is taken back. */
  showSaved(path: NodePath, before: NodeText, hashAfter: string): void;
}
