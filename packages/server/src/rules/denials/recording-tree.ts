import type { RuleTree, RuleView } from '@hearth/core/rules/evaluate/values.ts';
import { type Key, parseKey } from '@hearth/core/tree/key.ts';
import type { Priority } from '@hearth/core/tree/node.ts';
import { type IndexValue, OBJECT } from '@hearth/core/tree/order.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { StoredRead } from './denial.ts';

/** Returns a path as readable text: `/rooms/lobby`; the root is `/`. */
export function printPath(keys: readonly string[]): string {
  return `/${keys.join('/')}`;
}

/** Maximum number of recorded reads. The log stores a decision that reads more without its values. */
const MAX_READS = 1_000;

/** Maximum length of a recorded string, in UTF-16 code units. A longer one does not fit into an entry of the log. */
const MAX_UNITS = 16_384;

/** A view of a tree that records each read once. */
export class RecordingView implements RuleView {
  readonly #tree: RuleView;
  readonly #reads = new Map<string, StoredRead>();
  #isOverfull = false;

  constructor(tree: RuleView) {
    this.#tree = tree;
  }

  /** The reads so far; `null` if there were too many, or if a string was too long. */
  get reads(): readonly StoredRead[] | null {
    return this.#isOverfull ? null : [...this.#reads.values()];
  }

  findValue(path: Path): IndexValue {
    const value = this.#tree.findValue(path);
    const text = printPath(path);
    this.remember(
      value === OBJECT
        ? { kind: 'object', path: text }
        : { kind: 'value', path: text, value: typeof value === 'bigint' ? Number(value) : value },
    );
    return value;
  }

  findPriority(path: Path): Priority {
    const priority = this.#tree.findPriority(path);
    this.remember({ kind: 'priority', path: printPath(path), priority });
    return priority;
  }

  protected remember(read: StoredRead): void {
    const name = readName(read);
    if (this.#reads.has(name)) return;
    const isLong = read.kind === 'value' && typeof read.value === 'string' && read.value.length > MAX_UNITS;
    if (isLong || this.#reads.size >= MAX_READS) this.#isOverfull = true;
    else this.#reads.set(name, read);
  }
}

/** Like `RecordingView`, for the tree of a proposed write. */
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

/** Returns a name that is the same for reads that return the same data. */
function readName(read: StoredRead): string {
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

/** The first keys of a node; all of its keys if there are fewer than `limit`. */
interface FirstKeys {
  readonly limit: number;
  readonly keys: readonly Key[];
}

/** The recorded part of a tree. Paths that are not recorded have no data, and are listed in `missing`. */
export class RecordedTree implements RuleTree {
  readonly #values = new Map<string, IndexValue>();
  readonly #priorities = new Map<string, Priority>();
  readonly #keys = new Map<string, FirstKeys>();
  readonly #missing = new Set<string>();

  constructor(reads: readonly StoredRead[]) {
    for (const read of reads) this.#add(read);
  }

  /** Paths that were read but are not recorded, such as `/a/b`. */
  get missing(): readonly string[] {
    return [...this.#missing];
  }

  findValue(path: Path): IndexValue {
    return this.#values.get(printPath(path)) ?? this.#recordMissing(this.#values, path);
  }

  findPriority(path: Path): Priority {
    return this.#priorities.get(printPath(path)) ?? this.#recordMissing(this.#priorities, path);
  }

  firstKeys(path: Path, limit: number): readonly Key[] {
    const known = this.#keys.get(printPath(path));
    const isEnough = known !== undefined && (limit <= known.limit || known.keys.length < known.limit);
    if (!isEnough) this.#recordMissing(new Map(), path);
    return known?.keys.slice(0, limit) ?? [];
  }

  #add(read: StoredRead): void {
    switch (read.kind) {
      case 'value':
        this.#values.set(read.path, read.value);
        break;
      case 'object':
        this.#values.set(read.path, OBJECT);
        break;
      case 'priority':
        this.#priorities.set(read.path, read.priority);
        break;
      case 'keys': {
        const known = this.#keys.get(read.path);
        if (known === undefined || known.limit < read.limit)
          this.#keys.set(read.path, { limit: read.limit, keys: read.keys.map(parseKey) });
        break;
      }
      default:
        read satisfies never;
    }
  }

  #recordMissing(known: ReadonlyMap<string, unknown>, path: Path): null {
    const text = printPath(path);
    if (!known.has(text) && !this.#isBelowLeaf(path)) this.#missing.add(text);
    return null;
  }

  /** Returns whether an ancestor is a leaf or absent, so that the path has no data. */
  #isBelowLeaf(path: Path): boolean {
    for (let depth = 0; depth < path.length; depth++) {
      const above = this.#values.get(printPath(path.slice(0, depth)));
      if (above !== undefined && above !== OBJECT) return true;
    }
    return false;
  }
}
