import type { CheckedWrite, NodeText } from '../../../api/data-nodes.ts';
import type { NodePath } from '../model/node-path.ts';
import type { PastedRow } from './change-nodes.ts';
import type { MoveRequest } from './node-dialogs.tsx';

/** Actions on nodes. Those that change a node show a notice, with an undo if possible; for `write`, `showSaved` shows it. */
export interface NodeActions {
  /** Whether changes are staged instead of written. */
  readonly isStaged: boolean;
  add(parent: NodePath, key: string, value: unknown): Promise<void>;
  move(request: MoveRequest, to: NodePath): Promise<void>;
  remove(paths: readonly NodePath[]): Promise<void>;
  paste(rows: readonly PastedRow[]): Promise<void>;
  /** Reads a node for editing: its text including staged edits, and a hash for `write`. */
  read(path: NodePath): Promise<NodeText>;
  /** Replaces a node by the text of `node`, if the hash of the current node is that of `node`. */
  write(path: NodePath, node: NodeText): Promise<CheckedWrite>;
  /** Shows the notice of a saved value. Its undo applies only while the node has the hash `hashAfter`. */
  showSaved(path: NodePath, before: NodeText, hashAfter: string): void;
}
