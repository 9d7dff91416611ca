import { isKey, type Key, MAX_KEY_BYTES } from '../../tree/key.ts';
import type { Priority } from '../../tree/node.ts';
import type { IndexValue, OBJECT } from '../../tree/order.ts';
import { MAX_DEPTH, type Path, pathOf } from '../../tree/path.ts';
import type { Span } from '../syntax/problems.ts';

/**
 * A tree as rules read it, one path at a time. The order and the number of reads do not change their results.
 * The view stores no path that it receives, so the caller may change the path afterwards. A path that leads to
 * no node is valid and has no data.
 */
export interface RuleView {
  /**
   * Returns the scalar of a leaf, `OBJECT` for an inner node, or `null` where no data exists. Some views return the
   * nearest double for an integer of 64 bits.
   */
  findValue(path: Path): IndexValue;
  /** Returns the priority of the node at a path, or `null` if it has none or no data exists. */
  findPriority(path: Path): Priority;
}

/** The existing tree that a write applies to. */
export interface RuleTree extends RuleView {
  /** Returns the first children of a node in key order, at most `limit`. A leaf and an absent node have none. */
  firstKeys(path: Path, limit: number): readonly Key[];
}

/** Longest child path that is parsed, in UTF-16 code units. No existing path is longer. */
const MAX_CHILD_PATH_LENGTH = MAX_DEPTH * (MAX_KEY_BYTES + 1);

/**
 * Returns the keys of a child path in a rule, such as `a` or `a/b`. Extra slashes around and between the keys
 * are ignored. Returns `null` for a text that cannot name a path: it has no key, an invalid key, or more than
 * 32 keys.
 */
export function findChildKeys(text: string): readonly Key[] | null {
  if (text.length > MAX_CHILD_PATH_LENGTH) return null;
  const names = text.split('/').filter((name) => name !== '');
  return names.length > 0 && names.length <= MAX_DEPTH && names.every(isKey) ? names : null;
}

/**
 * A path in a tree, or a path that cannot exist in any tree. The code that evaluates an expression owns the
 * resulting snapshot and may move it: `root.child(a).child(b)` is one snapshot that moves twice.
 */
export class RuleSnapshot {
  readonly view: RuleView;
  #keys: Key[] | null;

  /** Takes ownership of `keys`. `null` means a path that cannot exist. */
  constructor(view: RuleView, keys: Key[] | null) {
    this.view = view;
    this.#keys = keys;
  }

  /** The path, or `null` for a path that cannot exist and therefore has no data. */
  get path(): Path | null {
    return this.#keys === null ? null : pathOf(this.#keys);
  }

  /** Returns a copy that stays when this snapshot moves. */
  copy(): RuleSnapshot {
    return new RuleSnapshot(this.view, this.#keys === null ? null : [...this.#keys]);
  }

  /** Moves to the child with the name that a rule uses, such as `a` or `a/b`. */
  moveToChild(name: string): void {
    if (isKey(name)) this.#moveDown(name);
    else this.moveDownBy(findChildKeys(name));
  }

  /** Moves down by several keys. `null` means a name that no child can have. */
  moveDownBy(keys: readonly Key[] | null): void {
    if (keys === null) this.#keys = null;
    else for (const key of keys) this.#moveDown(key);
  }

  /**
   * Moves to the parent. Returns `false` at the root, which has no parent. The parent of a path that cannot
   * exist cannot exist either.
   */
  moveUp(): boolean {
    return this.#keys === null || this.#keys.pop() !== undefined;
  }

  /** Moves down by one key. A path below a path that cannot exist cannot exist either. */
  #moveDown(key: Key): void {
    const keys = this.#keys;
    if (keys === null) return;
    if (keys.length < MAX_DEPTH) keys.push(key);
    else this.#keys = null;
  }
}

/**
 * The reason why an expression has no value. A fault makes the whole rule false. Each source location and
 * reason has a single fault object, which every evaluation returns.
 */
export class Fault {
  /** The part of the rule that causes the fault. */
  readonly span: Span;
  readonly message: string;

  constructor(span: Span, message: string) {
    this.span = span;
    this.message = message;
  }
}

/** The variable `auth`, or an object or array inside it. */
export type AuthObject = Readonly<Record<string, unknown>> | readonly unknown[];

/**
 * The value of an expression. `OBJECT` is an inner node of the database: it is not null, and it equals no
 * value.
 */
export type RuleValue =
  | boolean
  | number
  | string
  | null
  | typeof OBJECT
  | AuthObject
  | QueryVariables
  | RuleSnapshot
  | Fault;

/** The variable `query`: the query of a read. */
export interface QueryVariables {
  readonly orderByKey: boolean;
  readonly orderByValue: boolean;
  readonly orderByPriority: boolean;
  readonly orderByChild: string | null;
  readonly startAt: boolean | number | string | null;
  readonly endAt: boolean | number | string | null;
  readonly equalTo: boolean | number | string | null;
  readonly limitToFirst: number | null;
  readonly limitToLast: number | null;
}
