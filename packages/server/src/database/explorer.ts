import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { KvRead, KvStore } from '../kv/store.ts';
import type { Clock } from '../ops/clock.ts';
import type { PagePlace } from '../tree/child-page.ts';
import type { StoredTree } from '../tree/stored-tree.ts';
import type { SearchRequest } from '../tree/subtree-search.ts';
import { findStoredTree } from './database-directory.ts';
import { childPageJson } from './explorer-json.ts';
import { readJudgedPage } from './judge-page.ts';
import type { ReadJudge } from './judge-reads.ts';
import { countChildren, type LongRead, measureSubtree, searchSubtree } from './long-read.ts';
import { LongReadParts } from './long-read-parts.ts';
import { ReadLane } from './read-lane.ts';

export interface ExplorerOptions {
  readonly store: KvStore;
  readonly clock: Clock;
}

/** Searches under way at a time, in all databases. */
export const MAX_SEARCHES = 4;

/** Counts and measurements under way at a time. */
export const MAX_COUNTS = 32;

/** A long read whose client does not take its lines for so long gives its place to another, in ms. */
const MAX_IDLE_MS = 30_000;

/**
 * Looks into databases for administrators, at any size: pages of children at once, and what takes longer in steps, in which
 * each entry is seen as it is when its turn comes. All methods refuse a database that does not exist with
 * `http/not-found`; texts are JSON, and lines of JSON, which must be read to their end or returned.
 */
export class Explorer implements Disposable {
  readonly #store: KvStore;
  readonly #clock: Clock;
  readonly #lane = new ReadLane();
  readonly #searches = new Set<LongReadParts>();
  readonly #counts = new Set<LongReadParts>();

  constructor({ store, clock }: ExplorerOptions) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Ends all that is under way. */
  [Symbol.dispose](): void {
    for (const parts of [...this.#searches, ...this.#counts]) parts.stop();
  }

  /** At most `limit` children of a node, in key order; with a judge, as somebody whom rules apply to may read them. */
  readChildren(database: string, path: Path, place: PagePlace, limit: number, judge?: ReadJudge): string {
    return this.#store.read((tx) => {
      const { verdict, ...page } = readJudgedPage(
        tx,
        mustFindTree(tx, database),
        { path, place, limit },
        judge,
      );
      return childPageJson(page, verdict);
    });
  }

  /** Counts the children of a node; with `before`, those before a key. */
  count(database: string, path: Path, before: Key | undefined): LongReadParts {
    return this.#open(this.#counts, MAX_COUNTS, countChildren(this.#mustFindTree(database), path, before));
  }

  /** Measures what is at and below a path. */
  measure(database: string, path: Path): LongReadParts {
    return this.#open(this.#counts, MAX_COUNTS, measureSubtree(this.#mustFindTree(database), path));
  }

  /** Looks for keys and values at and below a path; with judges, one for each step, as somebody whom rules apply to would. */
  search(database: string, path: Path, request: SearchRequest, judgeOfNow?: () => ReadJudge): LongReadParts {
    const read = searchSubtree(this.#mustFindTree(database), path, request, judgeOfNow);
    return this.#open(this.#searches, MAX_SEARCHES, read);
  }

  #mustFindTree(database: string): StoredTree {
    return this.#store.read((tx) => mustFindTree(tx, database));
  }

  #open(siblings: Set<LongReadParts>, limit: number, read: LongRead): LongReadParts {
    if (siblings.size >= limit) endIdle(siblings);
    if (siblings.size >= limit)
      throw new Refusal(
        'request/overload',
        `There are ${limit} of these requests under way: wait until one has ended, or cancel it.`,
      );
    const parts = new LongReadParts({
      store: this.#store,
      clock: this.#clock,
      lane: this.#lane,
      read,
      onEnd: (ended) => siblings.delete(ended),
    });
    siblings.add(parts);
    return parts;
  }
}

function endIdle(siblings: ReadonlySet<LongReadParts>): void {
  for (const parts of siblings) if (parts.idleMs >= MAX_IDLE_MS) parts.stop();
}

function mustFindTree(tx: KvRead, database: string): StoredTree {
  const tree = findStoredTree(tx, database);
  if (tree === undefined)
    throw new Refusal(
      'http/not-found',
      `There is no database ${JSON.stringify(database)}: it comes to be when something is written to it.`,
    );
  return tree;
}
