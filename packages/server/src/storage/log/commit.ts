import { type Priority, replaceAt, replacePriorityAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson, priorityJson } from '@hearth/core/tree/node-json.ts';
import { formatPath, type Path } from '@hearth/core/tree/path.ts';
import { findTenantId, type Principal } from '../../access/principal.ts';

declare const brand: unique symbol;

/** Number of a commit within its database: 1, 2, 3 … without gaps. */
export type Seq = number & { readonly [brand]: 'Seq' };

export function seqOf(value: number): Seq {
  return value as Seq;
}

/** A path and its new value. All placeholders are resolved. */
export type ValueWrite =
  | {
      readonly kind: 'node';
      readonly path: Path;
      readonly node: TreeNode | null;
      /** The node as JSON text in export form, created once for the log and for all clients. */
      readonly json: string;
    }
  /** Only for a path that has a node. */
  | { readonly kind: 'priority'; readonly path: Path; readonly priority: Priority; readonly json: string };

/**
 * A write of a node that is too large to be part of the commit. The tree holds the node, and a later commit may
 * have changed it again.
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

/**
 * Returns the path of a write below its ancestor at `depth`, as text. A priority has `.priority` as its last
 * segment.
 */
export function writePath({ kind, path }: CommitWrite, depth = 0): string {
  const text = formatPath(depth === 0 ? path : path.slice(depth));
  if (kind !== 'priority') return text;
  return text === '' ? '.priority' : `${text}/.priority`;
}

/** The author of a change. */
export type Author =
  | { readonly kind: 'admin' }
  | { readonly kind: 'guest' }
  /** `tenant` is the ID of the tenant that has the account. */
  | { readonly kind: 'user'; readonly uid: string; readonly tenant?: string };

/**
 * One atomic change of one database. Contains effects, not commands: replaying it needs no clock, no random
 * values and no rules. No written node is at or above another. Nodes come before priorities, so the path of a
 * priority has a node when the priority is applied.
 */
export interface Commit {
  readonly database: string;
  readonly seq: Seq;
  /** Never decreases within a database. */
  readonly timeMs: number;
  readonly author: Author;
  readonly writes: readonly CommitWrite[];
}

export function authorOf(identity: Principal): Author {
  switch (identity.kind) {
    case 'admin':
    case 'guest':
      return { kind: identity.kind };
    case 'viewer':
      throw new Error('Bug: a read-only administrator wrote data.');
    case 'user': {
      const { uid } = identity.auth;
      const tenant = findTenantId(identity.auth);
      const user = { kind: 'user', uid: typeof uid === 'string' ? uid : '' } as const;
      return tenant === undefined ? user : { ...user, tenant };
    }
    default:
      return identity satisfies never;
  }
}

/**
 * Returns the tree after a commit. Applying all commits of a database in order to an empty tree produces its current
 * tree. Throws if the commit does not contain a written value.
 */
export function applyCommit(node: TreeNode | null, { writes }: Pick<Commit, 'writes'>): TreeNode | null {
  let after = node;
  for (const write of writes) after = applyWrite(after, write);
  return after;
}

function applyWrite(node: TreeNode | null, write: CommitWrite): TreeNode | null {
  switch (write.kind) {
    case 'node':
      return replaceAt(node, write.path, write.node);
    case 'priority':
      return replacePriorityAt(node, write.path, write.priority);
    case 'linked':
      throw new Error(
        `The log does not contain the value written to /${formatPath(write.path)}, which is stored only in the tree.`,
      );
    default:
      return write satisfies never;
  }
}
