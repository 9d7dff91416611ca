import type { Key } from '@hearth/core/tree/key.ts';
import type { Priority } from '@hearth/core/tree/node.ts';
import type { NodeId } from '../kv/keys.ts';
import type { StoredIndex } from './stored-tree.ts';

/** A child whose text is part of its parent's. Places are in the pending text. */
export interface PendingChild {
  readonly key: Key;
  /** Of its name. */
  start: number;
  /** Of its value. */
  valueStart: number;
  end: number;
  readonly flags: number;
}

/**
 * An object or array that has begun and has not ended. Small ones are text, which their parent may take into its own; those that
 * have grown too large for that have a node, under which their children are entries. Can be written as JSON.
 */
export interface OpenContainer {
  /** Under which it stands in its parent; `null` for the outermost one. */
  readonly key: Key | null;
  readonly isArray: boolean;
  /** Where its text starts in the pending text. */
  start: number;
  /** Where the member whose value comes next starts in the pending text, with its comma. */
  memberStart: number;
  memberKey: Key | null;
  /** Has a name of a child been read, whatever became of the child? */
  hasNames: boolean;
  /** Items of an array so far. */
  itemCount: number;
  /** Children so far. */
  childCount: number;
  greatestKey: Key | null;
  isSorted: boolean;
  /** As long as it is text. */
  children: PendingChild[];
  /** What the flags of its children say of its own. */
  childFlags: number;
  priority: { readonly value: Priority } | null;
  /** JSON text of a leaf that is written as an object; an empty text for a leaf that is null. */
  leafText: string | null;
  /** Once it is not text. */
  filled: {
    readonly node: NodeId;
    readonly indexes: readonly StoredIndex[];
    /** Whether a child with a priority has come, and whether the index for that could be made at once. */
    priorityIndex: 'none' | 'kept' | 'later';
  } | null;
}

export function openContainer(key: Key | null, isArray: boolean, start: number): OpenContainer {
  return {
    key,
    isArray,
    start,
    memberStart: start,
    memberKey: null,
    hasNames: false,
    itemCount: 0,
    childCount: 0,
    greatestKey: null,
    isSorted: true,
    children: [],
    childFlags: 0,
    priority: null,
    leafText: null,
    filled: null,
  };
}
