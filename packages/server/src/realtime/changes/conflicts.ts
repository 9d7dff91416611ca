import { type Path, parsePath } from '@hearth/core/tree/path.ts';
import type { KvRead } from '../../storage/kv/store.ts';
import { type Author, type Commit, writePath } from '../../storage/log/commit.ts';
import { type ChangeRecord, type Former, readChanges, type SeqRange } from './record.ts';

/** The last write of others at a path that an undo would overwrite. */
export interface LaterWrite {
  readonly path: string;
  readonly timeMs: number;
  readonly author: Author;
  /** Number of writes at this path. */
  readonly count: number;
}

/** Maximum number of paths that are listed. */
const MAX_LISTED_WRITES = 100;

interface PathNode {
  readonly below: Map<string, PathNode>;
  isFormer: boolean;
}

/** Finds the writes in a log that an undo of one change would overwrite. */
export class LaterWrites {
  readonly #root: PathNode = { below: new Map(), isFormer: false };
  readonly #ignored: readonly SeqRange[];
  readonly #found = new Map<string, LaterWrite>();
  /** The number of the last commit that was examined. */
  seq: number;
  /** Whether commits between the first and the last one are no longer in the log. */
  isIncomplete = false;
  /** Number of writes found, including those that are not listed. */
  count = 0;

  /** Examines the commits after `seq`. */
  constructor(tx: KvRead, database: string, record: ChangeRecord, formers: readonly Former[], seq: number) {
    for (const { path } of formers) this.#add(parsePath(path));
    this.#ignored = [...record.ranges, ...revertedRanges(tx, database, record.id)];
    this.seq = seq;
  }

  /** Examines commits, which follow those of the last call. */
  examine(commits: readonly Commit[]): void {
    for (const { seq, timeMs, author, writes } of commits) {
      if (seq > this.seq + 1) this.isIncomplete = true;
      this.seq = Math.max(this.seq, seq);
      if (this.#ignored.some(([first, last]) => first <= seq && seq <= last)) continue;
      for (const write of writes) {
        if (!this.#meets(write.path)) continue;
        this.count += 1;
        const path = `/${writePath(write)}`;
        const known = this.#found.get(path);
        if (known === undefined && this.#found.size >= MAX_LISTED_WRITES) continue;
        this.#found.set(path, { path, timeMs, author, count: (known?.count ?? 0) + 1 });
      }
    }
  }

  list(): readonly LaterWrite[] {
    return [...this.#found.values()];
  }

  #add(path: Path): void {
    let here = this.#root;
    for (const key of path) {
      let next = here.below.get(key);
      if (next === undefined) {
        next = { below: new Map(), isFormer: false };
        here.below.set(key, next);
      }
      here = next;
    }
    here.isFormer = true;
  }

  /** Returns whether a written path is at, below or above a node that the change replaced. */
  #meets(path: Path): boolean {
    let here: PathNode | undefined = this.#root;
    for (const key of path) {
      if (here.isFormer) return true;
      here = here.below.get(key);
      if (here === undefined) return false;
    }
    return true;
  }
}

/**
 * Returns the commits after a change that cancel each other: those of later changes that were undone, and of their
 * undoing. An undo that was itself undone does not count.
 */
function revertedRanges(tx: KvRead, database: string, id: number): readonly SeqRange[] {
  const later = new Map<number, ChangeRecord>();
  for (const record of readChanges(tx, database)) {
    if (record.id <= id) break;
    later.set(record.id, record);
  }
  const isInForce = (record: ChangeRecord): boolean => {
    const undoing = record.undoneBy === null ? undefined : later.get(record.undoneBy);
    return undoing === undefined || !isInForce(undoing);
  };
  return [...later.values()].flatMap((record) => {
    const isCanceled = !isInForce(record) || (record.undoes !== null && record.undoes > id);
    return isCanceled ? record.ranges : [];
  });
}
