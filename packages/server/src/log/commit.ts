import type { Priority, TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson, priorityJson } from '@hearth/core/tree/node-json.ts';
import { formatPath, type Path } from '@hearth/core/tree/path.ts';

declare const brand: unique symbol;

/** Number of a commit within its database: 1, 2, 3 … without gaps. */
export type Seq = number & { readonly [brand]: 'Seq' };

export function seqOf(value: number): Seq {
  return value as Seq;
}

/** A place and what stands there afterwards. Nothing in it is left to be resolved. */
export type ValueWrite =
  | {
      readonly kind: 'node';
      readonly path: Path;
      readonly node: TreeNode | null;
      /** The node as JSON text in export form, made once for all who record or tell it. */
      readonly json: string;
    }
  /** Only for a place that has a node. */
  | { readonly kind: 'priority'; readonly path: Path; readonly priority: Priority; readonly json: string };

/**
 * A place whose node was replaced by one too large to be carried: it stands in the tree, where a later commit may have
 * changed it again.
 */
export interface LinkedWrite {
  readonly kind: 'linked';
  readonly path: Path;
}

/** One effect of a commit. */
export type CommitWrite = ValueWrite | LinkedWrite;

export function nodeWrite(path: Path, node: TreeNode | null): ValueWrite {
  return { kind: 'node', path, node, json: exportJson(node) };
}

export function priorityWrite(path: Path, priority: Priority): ValueWrite {
  return { kind: 'priority', path, priority, json: priorityJson(priority) };
}

/** Path of a write below its ancestor at `depth`, as text; a priority is written as a last segment. */
export function writePath({ kind, path }: CommitWrite, depth = 0): string {
  const text = formatPath(depth === 0 ? path : path.slice(depth));
  if (kind !== 'priority') return text;
  return text === '' ? '.priority' : `${text}/.priority`;
}

/** Who made a change. */
export type Author =
  | { readonly kind: 'admin' }
  | { readonly kind: 'guest' }
  | { readonly kind: 'user'; readonly uid: string };

/**
 * One atomic change of one database. Holds effects, not commands: a reader needs no clock, no chance and no rules.
 * No written node is at or above another. Nodes come before priorities, whose place has a node by then.
 */
export interface Commit {
  readonly database: string;
  readonly seq: Seq;
  /** Never decreases within a database. */
  readonly timeMs: number;
  readonly author: Author;
  readonly writes: readonly CommitWrite[];
}
