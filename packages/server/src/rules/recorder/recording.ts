import type { ProposedWrite, ReadOperation, WriteOperation } from '@hearth/core/rules/evaluate/operation.ts';
import type { AuthObject, QueryVariables, RuleTree } from '@hearth/core/rules/evaluate/values.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { innerNode, leafNode, type TreeNode } from '@hearth/core/tree/node.ts';
import { OBJECT } from '@hearth/core/tree/order.ts';
import { joinPaths, type Path } from '@hearth/core/tree/path.ts';
import type { DecidedOperation } from '../../access/authorization-request.ts';
import { nodeSize, scalarSize } from '../denials/capture.ts';
import { printJsonWithDoubles } from '../denials/redact.ts';

/** The content of a written path before the write. */
export interface NodeBefore {
  readonly path: Path;
  readonly node: TreeNode | null;
}

/** An operation with everything needed to decide it again, except the tree. */
export type RecordedOperation = {
  readonly auth: AuthObject | null;
  readonly timeMs: number;
  /** Estimated memory use. */
  readonly bytes: number;
} & (
  | { readonly kind: 'read'; readonly path: Path; readonly query: QueryVariables }
  | {
      readonly kind: 'write';
      readonly writes: readonly ProposedWrite[];
      readonly before: readonly NodeBefore[];
    }
);

/** Returns a recorded operation on a tree, ready to be decided. */
export function decidedOperation(recorded: RecordedOperation, tree: RuleTree): DecidedOperation {
  const common = { auth: recorded.auth, now: recorded.timeMs, tree };
  return recorded.kind === 'read'
    ? { kind: 'read', read: { ...common, path: recorded.path, query: recorded.query } }
    : { kind: 'write', write: { ...common, writes: recorded.writes } };
}

/** Returns the node at a path; `undefined` if it takes more than about `maxBytes` bytes. */
function readSmallNode(tree: RuleTree, path: Path, maxBytes: number): TreeNode | null | undefined {
  return new Reader(tree, maxBytes).read(path);
}

class Reader {
  readonly #tree: RuleTree;
  #bytesLeft: number;

  constructor(tree: RuleTree, maxBytes: number) {
    this.#tree = tree;
    this.#bytesLeft = maxBytes;
  }

  read(path: Path): TreeNode | null | undefined {
    const value = this.#tree.findValue(path);
    if (value === null) return null;
    this.#bytesLeft -= scalarSize(path.at(-1) ?? '') + (typeof value === 'string' ? value.length : 0);
    if (this.#bytesLeft < 0) return undefined;
    const priority = this.#tree.findPriority(path);
    return value === OBJECT ? this.#readInner(path, priority) : leafNode(value, priority);
  }

  #readInner(path: Path, priority: TreeNode['priority']): TreeNode | null | undefined {
    const children: (readonly [Key, TreeNode])[] = [];
    // More children cannot fit.
    const limit = Math.floor(this.#bytesLeft / scalarSize('')) + 1;
    for (const key of this.#tree.firstKeys(path, limit)) {
      const child = this.read(joinPaths(path, [key]));
      if (child === undefined) return undefined;
      if (child !== null) children.push([key, child]);
    }
    return innerNode(children, priority);
  }
}

/** Maximum size of a value in a write, and of the value that it replaces, in bytes. */
const MAX_VALUE_BYTES = 4_096;

/** Maximum number of writes in one update. */
const MAX_WRITES = 100;

/** Maximum total size of an operation, in bytes. */
const MAX_OPERATION_BYTES = 65_536;

/** Size of an operation apart from its path, its values and its principal. */
const BASE_BYTES = 500;

/**
 * Returns the record of an operation; `undefined` if it is too large. Must be called before the operation
 * changes the tree.
 */
export function recordOperation(operation: DecidedOperation): RecordedOperation | undefined {
  const recorded = operation.kind === 'read' ? recordRead(operation.read) : recordWrite(operation.write);
  return recorded === undefined || recorded.bytes > MAX_OPERATION_BYTES ? undefined : recorded;
}

function recordRead({ auth, now, path, query }: ReadOperation): RecordedOperation {
  const { orderByChild, startAt, endAt } = query;
  const queryBytes = scalarSize(orderByChild) + scalarSize(startAt) + scalarSize(endAt);
  const bytes = BASE_BYTES + authSize(auth) + pathSize(path) + queryBytes;
  return { kind: 'read', auth, timeMs: now, bytes, path, query };
}

function recordWrite({ auth, now, tree, writes }: WriteOperation): RecordedOperation | undefined {
  if (writes.length > MAX_WRITES) return undefined;
  let bytes = BASE_BYTES + authSize(auth);
  const before: NodeBefore[] = [];
  for (const write of writes) {
    const { path } = write;
    const writtenBytes = writeSize(write);
    if (writtenBytes > MAX_VALUE_BYTES) return undefined;
    const node = readSmallNode(tree, path, MAX_VALUE_BYTES);
    if (node === undefined) return undefined;
    before.push({ path, node });
    bytes += 2 * pathSize(path) + writtenBytes + nodeSize(node, MAX_VALUE_BYTES);
  }
  return { kind: 'write', auth, timeMs: now, bytes, writes, before };
}

function writeSize(write: ProposedWrite): number {
  return write.kind === 'node' ? nodeSize(write.node, MAX_VALUE_BYTES + 1) : scalarSize(write.priority);
}

function pathSize(path: Path): number {
  return path.reduce((bytes, key) => bytes + scalarSize(key), 0);
}

const AUTH_SIZES = new WeakMap<AuthObject, number>();

/** Returns the size of `auth` as JSON. Cached, because a connection has the same claims for a long time. */
function authSize(auth: AuthObject | null): number {
  if (auth === null) return 0;
  const known = AUTH_SIZES.get(auth);
  if (known !== undefined) return known;
  const bytes = printJsonWithDoubles(auth).length;
  AUTH_SIZES.set(auth, bytes);
  return bytes;
}

/** Limits of a ring. When a new operation exceeds them, the oldest operations are removed. */
export interface RingBound {
  readonly count: number;
  readonly bytes: number;
}

/** The latest operations of one database, within limits. */
export class OperationRing {
  readonly #bound: RingBound;
  /** Entries before `#first` were removed and are `undefined`. */
  #operations: (RecordedOperation | undefined)[] = [];
  #first = 0;
  #bytes = 0;
  /** Number of operations that were too large to record. */
  notRecorded = 0;
  /** Number of operations above the rate limit. */
  sampledOut = 0;

  constructor(bound: RingBound) {
    this.#bound = bound;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Oldest first. */
  get operations(): readonly RecordedOperation[] {
    return this.#operations.filter((operation) => operation !== undefined);
  }

  add(operation: RecordedOperation): void {
    this.#operations.push(operation);
    this.#bytes += operation.bytes;
    while (this.#isOverfull) this.#dropOldest();
    // Compact the array rarely, so that the cost per operation is small.
    if (this.#first > this.#bound.count) {
      this.#operations = this.#operations.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Removes an operation, if it is present. */
  remove(operation: RecordedOperation): void {
    const index = this.#operations.lastIndexOf(operation);
    if (index === -1) return;
    this.#operations.splice(index, 1);
    this.#bytes -= operation.bytes;
  }

  #dropOldest(): void {
    this.#bytes -= this.#operations[this.#first]?.bytes ?? 0;
    this.#operations[this.#first] = undefined;
    this.#first += 1;
  }

  get #isOverfull(): boolean {
    return this.#operations.length - this.#first > this.#bound.count || this.#bytes > this.#bound.bytes;
  }
}
