import type { ProposedWrite } from '@hearth/core/rules/operation.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import type { DecidedOperation } from './asked-operation.ts';
import { MAX_ENTRY_BYTES } from './denial-record.ts';
import type { KeptRead, KeptValues, KeptWrite } from './kept-values.ts';
import { nodeSize, scalarSize } from './node-size.ts';
import { printPath } from './print-path.ts';
import { RecordingTree, RecordingView } from './recording-tree.ts';

/** More than an entry may take, however its bytes are counted. */
const LONG_BYTES = 8 * MAX_ENTRY_BYTES;

/** What a write takes beside its path and its value. */
const BASE_BYTES = 32;

/** The same operation on a tree that remembers its reads, and what was read so far; `null` when that was too much. */
export function recordReads(operation: DecidedOperation): {
  readonly operation: DecidedOperation;
  readonly values: () => KeptValues | null;
} {
  if (operation.kind === 'read') {
    const tree = new RecordingView(operation.read.tree);
    return {
      operation: { kind: 'read', read: { ...operation.read, tree } },
      values: () => valuesOf(tree.reads, []),
    };
  }
  const tree = new RecordingTree(operation.write.tree);
  return {
    operation: { kind: 'write', write: { ...operation.write, tree } },
    values: () => valuesOf(tree.reads, operation.write.writes),
  };
}

function valuesOf(reads: readonly KeptRead[] | null, writes: readonly ProposedWrite[]): KeptValues | null {
  return reads === null || isLong(writes) ? null : { writes: writes.map(keepWrite), reads };
}

/** Do the writes take more than an entry may? Then they are not printed. */
function isLong(writes: readonly ProposedWrite[]): boolean {
  let bytes = 0;
  for (const write of writes) {
    bytes += write.kind === 'node' ? nodeSize(write.node, LONG_BYTES) : scalarSize(write.priority);
    bytes += BASE_BYTES + write.path.reduce((sum, key) => sum + key.length, 0);
    if (bytes > LONG_BYTES) return true;
  }
  return false;
}

function keepWrite(write: ProposedWrite): KeptWrite {
  const path = printPath(write.path);
  return write.kind === 'node'
    ? { kind: 'node', path, json: exportJson(write.node) }
    : { kind: 'priority', path, priority: write.priority };
}
