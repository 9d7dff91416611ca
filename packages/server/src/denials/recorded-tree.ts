import type { RuleTree } from '@hearth/core/rules/rule-view.ts';
import { type Key, parseKey } from '@hearth/core/tree/key.ts';
import type { Priority } from '@hearth/core/tree/node.ts';
import { type IndexValue, OBJECT } from '@hearth/core/tree/order.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { KeptRead } from './kept-values.ts';
import { printPath } from './print-path.ts';

/** The first keys of a node: all that it has, unless there are as many as `limit`. */
interface FirstKeys {
  readonly limit: number;
  readonly keys: readonly Key[];
}

/** The tree as far as it was read. Where it was not, nothing is there, and that is noted. */
export class RecordedTree implements RuleTree {
  readonly #values = new Map<string, IndexValue>();
  readonly #priorities = new Map<string, Priority>();
  readonly #keys = new Map<string, FirstKeys>();
  readonly #missing = new Set<string>();

  constructor(reads: readonly KeptRead[]) {
    for (const read of reads) this.#add(read);
  }

  /** Places that were asked for and not read then, as `/a/b`. */
  get missing(): readonly string[] {
    return [...this.#missing];
  }

  findValue(path: Path): IndexValue {
    return this.#values.get(printPath(path)) ?? this.#noteMissing(this.#values, path);
  }

  findPriority(path: Path): Priority {
    return this.#priorities.get(printPath(path)) ?? this.#noteMissing(this.#priorities, path);
  }

  firstKeys(path: Path, limit: number): readonly Key[] {
    const known = this.#keys.get(printPath(path));
    const isEnough = known !== undefined && (limit <= known.limit || known.keys.length < known.limit);
    if (!isEnough) this.#noteMissing(new Map(), path);
    return known?.keys.slice(0, limit) ?? [];
  }

  #add(read: KeptRead): void {
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

  #noteMissing(known: ReadonlyMap<string, unknown>, path: Path): null {
    const place = printPath(path);
    if (!known.has(place) && !this.#isBelowLeaf(path)) this.#missing.add(place);
    return null;
  }

  /** Is there a value or nothing above the place, so that nothing can be at it? */
  #isBelowLeaf(path: Path): boolean {
    for (let depth = 0; depth < path.length; depth++) {
      const above = this.#values.get(printPath(path.slice(0, depth)));
      if (above !== undefined && above !== OBJECT) return true;
    }
    return false;
  }
}
