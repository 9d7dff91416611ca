import type { CheckedWrite, NodeText } from '../../../api/data-nodes.ts';
import type { NodePath } from '../model/node-path.ts';
import type { PastedRow } from './change-nodes.ts';
import type { MoveRequest } from './node-dialogs.tsx';

/**
 * Actions on nodes. `add`, `move`, `remove` and `paste` show a notice, with an undo if possible. After `write`, the caller
 * calls `showSaved`.
 */
export interface NodeActions {
  /** Whether changes are staged instead of written. */
  readonly isStaged: boolean;
  add(parent: NodePath, key: string, value: unknown): Promise<void>;
  move(request: MoveRequest, to: NodePath): Promise<void>;
  remove(paths: readonly NodePath[]): Promise<void>;
  paste(rows: readonly PastedRow[]): Promise<void>;
  /** Reads a node for editing: its text including staged edits, and a hash for `write`. */
  read(path: NodePath): Promise<NodeText>;
  /** Replaces a node with `node.text`, if the current hash of the node is `node.hash`. */
  write(path: NodePath, node: NodeText): Promise<CheckedWrite>;
  /**
   * Shows the notice of a saved value, with the undo of its change.
   */
  showSaved(path: NodePath, change: number | null): void;
}
