import type { RuleTree, RuleView } from '@hearth/core/rules/rule-view.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { Priority } from '@hearth/core/tree/node.ts';
import { type IndexValue, OBJECT } from '@hearth/core/tree/order.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { KeptRead } from './kept-values.ts';
import { printPath } from './print-path.ts';

/** Most reads that are remembered; a verdict that rests on more is not one that is kept with its values. */
const MAX_READS = 1_000;

/** Longest text that is remembered, in UTF-16 units: no entry has room for more. */
const MAX_UNITS = 16_384;

/** A tree that remembers what was read of it, each place once. */
export class RecordingView implements RuleView {
  readonly #tree: RuleView;
  readonly #reads = new Map<string, KeptRead>();
  #isOverfull = false;

  constructor(tree: RuleView) {
    this.#tree = tree;
  }

  /** `null` when there were too many, or a text was too long. */
  get reads(): readonly KeptRead[] | null {
    return this.#isOverfull ? null : [...this.#reads.values()];
  }

  findValue(path: Path): IndexValue {
    const value = this.#tree.findValue(path);
    const place = printPath(path);
    this.remember(
      value === OBJECT
        ? { kind: 'object', path: place }
        : { kind: 'value', path: place, value: typeof value === 'bigint' ? Number(value) : value },
    );
    return value;
  }

  findPriority(path: Path): Priority {
    const priority = this.#tree.findPriority(path);
    this.remember({ kind: 'priority', path: printPath(path), priority });
    return priority;
  }

  protected remember(read: KeptRead): void {
    const name = readName(read);
    if (this.#reads.has(name)) return;
    const isLong = read.kind === 'value' && typeof read.value === 'string' && read.value.length > MAX_UNITS;
    if (isLong || this.#reads.size >= MAX_READS) this.#isOverfull = true;
    else this.#reads.set(name, read);
  }
}

/** As `RecordingView`, of a tree that a write is proposed to. */
export class RecordingTree extends RecordingView implements RuleTree {
  readonly #tree: RuleTree;

  constructor(tree: RuleTree) {
    super(tree);
    this.#tree = tree;
  }

  firstKeys(path: Path, limit: number): readonly Key[] {
    const keys = this.#tree.firstKeys(path, limit);
    this.remember({ kind: 'keys', path: printPath(path), limit, keys });
    return keys;
  }
}

/** Tells apart what can be read of one place. */
function readName(read: KeptRead): string {
  switch (read.kind) {
    case 'value':
    case 'object':
      return `value ${read.path}`;
    case 'priority':
      return `priority ${read.path}`;
    case 'keys':
      return `keys ${read.limit} ${read.path}`;
    default:
      return read satisfies never;
  }
}
