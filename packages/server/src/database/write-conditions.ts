import { Refusal } from '@hearth/core/fault/refusal.ts';
import { OBJECT } from '@hearth/core/tree/order.ts';
import { formatPath, type Path, pathOf } from '@hearth/core/tree/path.ts';
import type { ValueWrite } from '../log/commit.ts';
import type { ExpectedNode } from './expected-node.ts';
import type { DatabaseTree } from './tree-view.ts';

/** What must hold of the state for a write to be made. Only who sees all may name it, because it tells what stands there. */
export interface WriteConditions {
  readonly expected: readonly ExpectedNode[];
  /** Is a value, which would make room for what is put below it, to stay? */
  readonly keepsValues: boolean;
}

/** Something else is there than was expected. */
export class StaleWrite extends Refusal {
  /** What is there, of all places that are not as expected. */
  readonly found: readonly ExpectedNode[];

  constructor(found: readonly ExpectedNode[]) {
    super('write/stale');
    this.found = found;
  }
}

/** Refuses with `StaleWrite`, `write/below-value`, or `read/too-big` when what is compared is too big to be hashed. */
export function mustHoldConditions(
  tree: DatabaseTree,
  writes: readonly ValueWrite[],
  { expected, keepsValues }: WriteConditions,
): void {
  const found = expected.flatMap(({ path, hash }) => {
    const there = tree.hash(path);
    return there === hash ? [] : [{ path, hash: there }];
  });
  if (found.length > 0) throw new StaleWrite(found);
  if (!keepsValues) return;
  const parents = new Map(writes.filter(isAddition).map(({ path }) => parentEntry(path)));
  for (const parent of parents.values())
    if (isWithinValue(tree, parent)) throw new Refusal('write/below-value');
}

/** Nothing makes room for a removal, or for a priority. */
function isAddition(write: ValueWrite): boolean {
  return write.kind === 'node' && write.node !== null && write.path.length > 0;
}

function parentEntry(path: Path): [string, Path] {
  const parent = pathOf(path.slice(0, -1));
  return [formatPath(parent), parent];
}

/** Is the nearest node at or above a path a value? */
function isWithinValue(tree: DatabaseTree, path: Path): boolean {
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const value = tree.findValue(pathOf(path.slice(0, depth)));
    if (value !== null) return value !== OBJECT;
  }
  return false;
}
