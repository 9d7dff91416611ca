import { setImmediate } from 'node:timers/promises';
import type { Path } from '@hearth/core/tree/path.ts';
import type { KvRead, KvStore } from '../../storage/kv/store.ts';
import { type Author, type Commit, type Seq, seqOf, writePath } from '../../storage/log/commit.ts';
import type { CommitLog } from '../../storage/log/log.ts';
import { type ChangeKind, readChanges } from './record.ts';

/** The last write that changed a node, as far as the log has it. */
export type LastWrite =
  | {
      readonly kind: 'write';
      readonly timeMs: number;
      readonly author: Author;
      /** The path that was written: that of the node, or one above or below it. */
      readonly path: string;
      /** Number of paths that the same commit wrote. */
      readonly paths: number;
      /** The recorded change that the write is a part of; `null` if there is none. */
      readonly change: { readonly id: number; readonly kind: ChangeKind; readonly author: string } | null;
    }
  /**
   * The write is older than the commits that the log keeps. `sinceMs` is the time of the oldest; `null` if the log has
   * no commits.
   */
  | { readonly kind: 'older'; readonly sinceMs: number | null }
  /** The log has all commits of the database, and none of them wrote the node. */
  | { readonly kind: 'never' };

/** Number of commits that are searched for the last write at a time. */
const PART_COMMITS = 200;
/** A step that has read this many bytes of commits reads no further commit. Other requests are answered between steps. */
const STEP_BYTES = 65_536;

/** Searches the log backwards for the last write at, above or below a path. */
export async function findLastWrite(
  { store, log }: { readonly store: KvStore; readonly log: CommitLog },
  database: string,
  path: Path,
): Promise<LastWrite> {
  let upTo: number = store.read((tx) => log.head(tx, database)).seq;
  let oldest: Commit | undefined;
  while (upTo > 0) {
    const after = Math.max(0, upTo - PART_COMMITS);
    let first: Commit | undefined;
    let found: Commit | undefined;
    for (let at = after; at < upTo; ) {
      const commits = log.read(database, seqOf(at), upTo - at, STEP_BYTES).filter(({ seq }) => seq <= upTo);
      const last = commits.at(-1);
      if (last === undefined) break;
      first ??= commits[0];
      found = commits.findLast((commit) => writtenPath(commit, path) !== undefined) ?? found;
      at = last.seq;
      await setImmediate();
    }
    if (found !== undefined) {
      const write = found;
      return store.read((tx) => describeWrite(tx, write, path));
    }
    // A part of the log that is no longer kept has no commits.
    if (first === undefined) break;
    oldest = first;
    upTo = after;
  }
  const isComplete = upTo === 0 && (oldest === undefined || oldest.seq === 1);
  return isComplete ? { kind: 'never' } : { kind: 'older', sinceMs: oldest?.timeMs ?? null };
}

/** Returns the path of a commit's last write at, above or below a path. */
function writtenPath({ writes }: Commit, path: Path): string | undefined {
  const write = writes.findLast(({ path: written }) => {
    const length = Math.min(written.length, path.length);
    for (let depth = 0; depth < length; depth += 1) if (written[depth] !== path[depth]) return false;
    return true;
  });
  return write === undefined ? undefined : `/${writePath(write)}`;
}

function describeWrite(tx: KvRead, commit: Commit, path: Path): LastWrite {
  const { database, seq, timeMs, author, writes } = commit;
  return {
    kind: 'write',
    timeMs,
    author,
    path: writtenPath(commit, path) ?? '/',
    paths: writes.length,
    change: findChangeOf(tx, database, seq),
  };
}

/** Returns the change that a commit is a part of. The latest changes come first, so that most searches are short. */
function findChangeOf(
  tx: KvRead,
  database: string,
  seq: Seq,
): Extract<LastWrite, { kind: 'write' }>['change'] {
  for (const { id, kind, author, ranges } of readChanges(tx, database)) {
    if (ranges.some(([first, last]) => first <= seq && seq <= last)) return { id, kind, author };
    const end = ranges.at(-1)?.[1];
    if (kind !== 'import' && end !== undefined && end < seq) break;
  }
  return null;
}
