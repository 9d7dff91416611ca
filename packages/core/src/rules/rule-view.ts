import type { Key } from '../tree/key.ts';
import type { Priority } from '../tree/node.ts';
import type { IndexValue } from '../tree/order.ts';
import type { Path } from '../tree/path.ts';

/** A tree as rules read it, one place at a time. It keeps no path that it is given: its caller may go on and change it. */
export interface RuleView {
  /** The scalar of a leaf, `OBJECT` for an inner node, `null` where there is nothing. */
  findValue(path: Path): IndexValue;
  findPriority(path: Path): Priority;
}

/** A tree that a write is proposed to. */
export interface RuleTree extends RuleView {
  /** The first children of a node in key order, `limit` at most. */
  firstKeys(path: Path, limit: number): readonly Key[];
}
