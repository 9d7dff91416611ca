import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { Clock } from '../../platform/clock.ts';
import type { KvRead, KvStore } from '../../storage/kv/store.ts';
import type { PagePosition } from '../../storage/tree/child-page.ts';
import type { StoredTree } from '../../storage/tree/stored-tree.ts';
import type { SearchRequest } from '../../storage/tree/subtree-search.ts';
import { findStoredTree } from '../database/catalog.ts';
import { ReadLane } from '../database/snapshot-read.ts';
import { countChildren, type LongRead, LongReadParts, measureSubtree, searchSubtree } from './long-read.ts';
import { childPageJson, type ReadAuthorizer, readAuthorizedPage } from './page.ts';

export interface ExplorerOptions {
  readonly store: KvStore;
  readonly clock: Clock;
}

/** Maximum number of concurrent searches, in all databases. */
export const MAX_SEARCHES = 4;

/** Maximum number of concurrent counts and measurements, in all databases. */
export const MAX_COUNTS = 32;

/** A long read whose client takes no line for this long, in ms, may be stopped in favor of another. */
const MAX_IDLE_MS = 30_000;

/**
 * Reads databases of any size for administrators: a page of children in one step, longer reads in several steps.
 * A long read sees each entry as it is when its step runs. All methods throw `http/not-found` if the database
 * does not exist. Results are JSON texts, or lines of JSON that the caller must read to the end or return.
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

  /** Stops all running reads. */
  [Symbol.dispose](): void {
    for (const parts of [...this.#searches, ...this.#counts]) parts.stop();
  }

  /**
   * Returns at most `limit` children of a node, in key order. With an authorizer, the page marks what the
   * impersonated user may not read.
   */
  readChildren(
    database: string,
    path: Path,
    position: PagePosition,
    limit: number,
    authorizer?: ReadAuthorizer,
  ): string {
    return this.#store.read((tx) => {
      const { pageDecision: decision, ...page } = readAuthorizedPage(
        tx,
        requireTree(tx, database),
        { path, position, limit },
        authorizer,
      );
      return childPageJson(page, decision);
    });
  }

  /** Counts the children of a node, or with `before` those before a key. */
  count(database: string, path: Path, before: Key | undefined): LongReadParts {
    return this.#open(this.#counts, MAX_COUNTS, countChildren(this.#requireTree(database), path, before));
  }

  /** Measures the subtree at a path. */
  measure(database: string, path: Path): LongReadParts {
    return this.#open(this.#counts, MAX_COUNTS, measureSubtree(this.#requireTree(database), path));
  }

  /**
   * Searches keys and values at and below a path. `currentAuthorizer` returns an authorizer for each step; with
   * it, the search finds only what the impersonated user may read.
   */
  search(
    database: string,
    path: Path,
    request: SearchRequest,
    currentAuthorizer?: () => ReadAuthorizer,
  ): LongReadParts {
    const read = searchSubtree(this.#requireTree(database), path, request, currentAuthorizer);
    return this.#open(this.#searches, MAX_SEARCHES, read);
  }

  #requireTree(database: string): StoredTree {
    return this.#store.read((tx) => requireTree(tx, database));
  }

  #open(siblings: Set<LongReadParts>, limit: number, read: LongRead): LongReadParts {
    if (siblings.size >= limit) endIdle(siblings);
    if (siblings.size >= limit)
      throw new RequestError(
        'request/overload',
        `${limit} of these requests are already running. Wait until one ends, or cancel one.`,
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

function requireTree(tx: KvRead, database: string): StoredTree {
  const tree = findStoredTree(tx, database);
  if (tree === undefined)
    throw new RequestError(
      'http/not-found',
      `The database ${JSON.stringify(database)} does not exist. The first write creates it.`,
    );
  return tree;
}
