import { isKey, type Key } from '../tree/key.ts';
import { MAX_DEPTH, type Path, pathOf } from '../tree/path.ts';
import { findChildKeys } from './child-keys.ts';
import type { RuleView } from './rule-view.ts';

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
