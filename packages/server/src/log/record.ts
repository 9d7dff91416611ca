import { assert } from '@hearth/core/fault/assert.ts';
import { parseDraft } from '@hearth/core/tree/draft.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Priority } from '@hearth/core/tree/node.ts';
import { exportJson, priorityJson } from '@hearth/core/tree/node-json.ts';
import { formatPath, parseWritePath } from '@hearth/core/tree/path.ts';
import { type Author, type Commit, type CommitWrite, seqOf } from '../commit/commit.ts';

/**
 * A commit as stored under its database and number: UTF-8 JSON, owned by the log.
 * Shape: `{"v":1,"t":<ms>,"a":<author>,"w":[["<path>",<value in export form>],…]}`; the path of a priority ends in
 * `.priority`.
 * Version history: 1, the first.
 */
interface StoredCommit {
  readonly v: 1;
  readonly t: number;
  readonly a: Author;
  readonly w: readonly (readonly [path: string, value: unknown])[];
}

export function encodeRecord(commit: Pick<Commit, 'timeMs' | 'author' | 'writes'>): Buffer {
  // Put together as text, because JSON.stringify knows no integers of 64 bits.
  const writes = commit.writes.map(encodeWrite).join(',');
  return Buffer.from(`{"v":1,"t":${commit.timeMs},"a":${JSON.stringify(commit.author)},"w":[${writes}]}`);
}

/** Bytes come from this program's own store, so their shape is trusted; their version is not. */
export function decodeRecord(database: string, seq: number, bytes: Buffer): Commit {
  const record = parseJsonText(bytes.toString()) as StoredCommit;
  if (record.v !== 1) throw new Error(`Commit ${seq} of ${database} was written by a newer version.`);
  return {
    database,
    seq: seqOf(seq),
    timeMs: record.t,
    author: record.a,
    writes: record.w.map(decodeWrite),
  };
}

function encodeWrite(write: CommitWrite): string {
  const path = formatPath(write.path);
  return write.kind === 'node'
    ? `[${JSON.stringify(path)},${exportJson(write.node)}]`
    : `[${JSON.stringify(`${path}/.priority`)},${priorityJson(write.priority)}]`;
}

function decodeWrite([text, value]: readonly [string, unknown]): CommitWrite {
  const { path, isPriority } = parseWritePath(text);
  if (isPriority) return { kind: 'priority', path, priority: value as Priority };
  const draft = parseDraft(value, path.length);
  assert(draft.kind === 'resolved', 'a commit holds no placeholders');
  return { kind: 'node', path, node: draft.node };
}

/** Where the stored log of a database stands. */
export interface LogHead {
  readonly seq: number;
  readonly timeMs: number;
  /** Number of the oldest commit that is kept. */
  readonly first: number;
  /** Size of all kept records. */
  readonly bytes: number;
}

/** Shape: sequence number, time, first kept number, bytes, as four doubles, big-endian: integers up to 2^53. */
export function encodeHead(head: LogHead): Buffer {
  const bytes = Buffer.allocUnsafe(32);
  bytes.writeDoubleBE(head.seq, 0);
  bytes.writeDoubleBE(head.timeMs, 8);
  bytes.writeDoubleBE(head.first, 16);
  bytes.writeDoubleBE(head.bytes, 24);
  return bytes;
}

export function decodeHead(bytes: Buffer): LogHead {
  return {
    seq: bytes.readDoubleBE(0),
    timeMs: bytes.readDoubleBE(8),
    first: bytes.readDoubleBE(16),
    bytes: bytes.readDoubleBE(24),
  };
}
