import { isKey, type Key, MAX_KEY_BYTES } from '../../tree/key.ts';
import type { Priority } from '../../tree/node.ts';
import type { IndexValue, OBJECT } from '../../tree/order.ts';
import { MAX_DEPTH, type Path, pathOf } from '../../tree/path.ts';
import type { Span } from '../syntax/problems.ts';

/** A tree as rules read it, one place at a time. It keeps no path that it is given: its caller may go on and change it. */
export interface RuleView {
  /** The scalar of a leaf, `OBJECT` for an inner node, `null` where there is nothing. */
  findValue(path: Path): IndexValue;
  findPriority(path: Path): Priority;
}

/** A tree that a write is proposed to. */
export interface RuleTree extends RuleView {
  /** Returns the first children of a node in key order, at most `limit`. */
  firstKeys(path: Path, limit: number): readonly Key[];
}

/** Longest text that is taken apart, in UTF-16 units: no path that exists is longer. */
const MAX_TEXT = MAX_DEPTH * (MAX_KEY_BYTES + 1);

/**
 * The keys of what a rule calls a child, `a` or `a/b`. Slashes around and between them may be too many. `null` for a text
 * that no place can be called: one without any key, with an invalid one, or with more than 32.
 */
export function findChildKeys(text: string): readonly Key[] | null {
  if (text.length > MAX_TEXT) return null;
  const names = text.split('/').filter((name) => name !== '');
  return names.length > 0 && names.length <= MAX_DEPTH && names.every(isKey) ? names : null;
}

/**
 * A place in a tree, or one that no tree can have. Whoever evaluates an expression owns the snapshot that it comes to and
 * may move it: `root.child(a).child(b)` is one snapshot that moves twice.
 */
export class RuleSnapshot {
  readonly view: RuleView;
  #keys: Key[] | null;

  /** Becomes the owner of `keys`. `null` stands for a place that cannot be. */
  constructor(view: RuleView, keys: Key[] | null) {
    this.view = view;
    this.#keys = keys;
  }

  /** `null` for a place that cannot be: nothing is there. */
  get path(): Path | null {
    return this.#keys === null ? null : pathOf(this.#keys);
  }

  /** One that stays when this one moves. */
  copy(): RuleSnapshot {
    return new RuleSnapshot(this.view, this.#keys === null ? null : [...this.#keys]);
  }

  /** To the child that a rule names, `a` or `a/b`. */
  moveToChild(name: string): void {
    if (isKey(name)) this.#moveDown(name);
    else this.moveBy(findChildKeys(name));
  }

  /** By several keys; `null` stands for a name that no child can have. */
  moveBy(keys: readonly Key[] | null): void {
    if (keys === null) this.#keys = null;
    else for (const key of keys) this.#moveDown(key);
  }

  /** Returns whether there is a parent: the root has none. That of a place that cannot be cannot be either. */
  moveUp(): boolean {
    return this.#keys === null || this.#keys.pop() !== undefined;
  }

  /** Whatever is below a place that cannot be cannot be either. */
  #moveDown(key: Key): void {
    const keys = this.#keys;
    if (keys === null) return;
    if (keys.length < MAX_DEPTH) keys.push(key);
    else this.#keys = null;
  }
}

/** Why an expression has no value. It makes the whole rule false. There is one for each place and reason, however often it occurs. */
export class Fault {
  /** The part of the rule that is to blame. */
  readonly span: Span;
  readonly message: string;

  constructor(span: Span, message: string) {
    this.span = span;
    this.message = message;
  }
}

/** An object or array inside `auth`. */
export type AuthObject = Readonly<Record<string, unknown>> | readonly unknown[];

/** The value of an expression. `OBJECT` is an inner node of the database: not null, and equal to nothing. */
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

/** The variable `query`: what a read asks for. */
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
