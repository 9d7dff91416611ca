import type { ProposedWrite, ReadOperation, WriteOperation } from '@hearth/core/rules/operation.ts';
import type { AuthObject } from '@hearth/core/rules/rule-value.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { DecidedOperation } from '../denials/asked-operation.ts';
import { printJsonWithDoubles } from '../denials/json-with-doubles.ts';
import { nodeSize, scalarSize } from '../denials/node-size.ts';
import { readSmallNode } from './read-small-node.ts';
import type { PlaceBefore, RecordedOperation } from './recorded-operation.ts';

/** Longest value of a write, and longest value that it replaces, in bytes. */
const MAX_VALUE_BYTES = 4_096;

/** Most writes of one update. */
const MAX_WRITES = 100;

/** Longest operation in all, in bytes. */
const MAX_OPERATION_BYTES = 65_536;

/** What an operation takes beside its path, its values and who asked. */
const BASE_BYTES = 500;

/** What is remembered of an operation, while its tree is still as it was; `undefined` if that is too much. */
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
  const before: PlaceBefore[] = [];
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

/** A connection has the same claims for long. */
function authSize(auth: AuthObject | null): number {
  if (auth === null) return 0;
  const known = AUTH_SIZES.get(auth);
  if (known !== undefined) return known;
  const bytes = printJsonWithDoubles(auth).length;
  AUTH_SIZES.set(auth, bytes);
  return bytes;
}
