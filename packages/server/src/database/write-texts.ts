import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { CommitWrite } from '../log/commit.ts';
import type { TreeView } from './tree-view.ts';

/** The JSON texts of what a commit has written, of which those that it does not carry are read from the tree, once. */
export class WriteTexts {
  readonly #view: TreeView;
  readonly #read = new Map<CommitWrite, string>();

  /** `view` is the state after the commit. */
  constructor(view: TreeView) {
    this.#view = view;
  }

  /** Refuses with `read/too-big` more than the largest answer. */
  of(write: CommitWrite): string {
    if (write.kind !== 'linked') return write.json;
    let text = this.#read.get(write);
    if (text === undefined) {
      text = this.#view.nodeJson(write.path, 'export');
      this.#read.set(write, text);
    }
    return text;
  }
}

/** What `make` returns; `undefined` when some text would be longer than any answer may be. */
export function unlessTooBig<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'read/too-big') return undefined;
    throw error;
  }
}
