import { assert } from '@hearth/core/fault/assert.ts';
import { parseDraft, parsePriority } from '@hearth/core/tree/draft.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Priority } from '@hearth/core/tree/node.ts';
import { parseWritePath } from '@hearth/core/tree/path.ts';
import {
  type Author,
  type Commit,
  type CommitWrite,
  nodeWrite,
  priorityWrite,
  seqOf,
  writePath,
} from './commit.ts';

/**
 * Consecutive commits of a database as stored under the number of the first: UTF-8 JSON, owned by the log.
 * Shape: `{"v":2,"c":[[<ms>,<author>,[["<path>",<value in export form>],…]],…]}`; the path of a priority ends in
 * `.priority`; a value that stands in the tree only is left out.
 * Version history: 1, the first; 2, values may be left out.
 */
interface StoredRecord {
  readonly v: number;
  readonly c: readonly StoredCommit[];
}

const VERSION = 2;

type StoredCommit = readonly [
  timeMs: number,
  author: Author,
  writes: readonly (readonly [path: string, value?: unknown])[],
];

/** One commit as a part of a record. */
export function encodeCommit(commit: Pick<Commit, 'timeMs' | 'author' | 'writes'>): string {
  // Put together as text, because JSON.stringify knows no integers of 64 bits.
  return `[${commit.timeMs},${JSON.stringify(commit.author)},[${commit.writes.map(encodeWrite).join(',')}]]`;
}

/** A record of commits that were encoded one by one. */
export function encodeRecord(commits: readonly string[]): Buffer {
  // Concatenated, which copies nothing before it is all turned into bytes; `join` would.
  const list = commits.reduce((text, commit) => `${text},${commit}`);
  return Buffer.from(`{"v":${VERSION},"c":[${list}]}`);
}

/** Bytes come from this program's own store, so their shape is trusted; their version is not. */
export function decodeRecord(database: string, firstSeq: number, bytes: Buffer): readonly Commit[] {
  const record = parseJsonText(bytes.toString()) as StoredRecord;
  if (record.v > VERSION)
    throw new Error(`Commit ${firstSeq} of ${database} was written by a newer version.`);
  return record.c.map(([timeMs, author, writes], place) => ({
    database,
    seq: seqOf(firstSeq + place),
    timeMs,
    author,
    writes: writes.map(decodeWrite),
  }));
}

function encodeWrite(write: CommitWrite): string {
  const path = JSON.stringify(writePath(write));
  return write.kind === 'linked' ? `[${path}]` : `[${path},${write.json}]`;
}

function decodeWrite(stored: readonly [path: string, value?: unknown]): CommitWrite {
  const [text, value] = stored;
  const { path, isPriority } = parseWritePath(text);
  if (stored.length === 1) return { kind: 'linked', path };
  if (isPriority) return priorityWrite(path, decodePriority(value));
  const draft = parseDraft(value, path.length);
  assert(draft.kind === 'resolved', 'a commit holds no placeholders');
  return nodeWrite(path, draft.node);
}

/** Goes through the parser, because a large number comes out of JSON text as an integer of 64 bits. */
function decodePriority(value: unknown): Priority {
  const priority = parsePriority(value);
  assert(priority === null || typeof priority !== 'object', 'a commit holds no placeholders');
  return priority;
}

/** Where the stored log of a database stands. */
export interface LogHead {
  readonly seq: number;
  readonly timeMs: number;
  /** Number of the oldest commit that is kept; a record starts with it. */
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
