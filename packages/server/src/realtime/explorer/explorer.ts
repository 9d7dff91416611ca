import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Holder } from '../../platform/lease.ts';
import { RecentMap } from '../../platform/recent-map.ts';
import type { ResourcePool } from '../../platform/resource-pool.ts';
import type { NodeId } from '../../storage/kv/keys.ts';
import type { KvRead, KvStore } from '../../storage/kv/store.ts';
import { readContent } from '../../storage/tree/read.ts';
import type { StoredTree } from '../../storage/tree/stored-tree.ts';
import type { SearchRequest } from '../../storage/tree/subtree-search.ts';
import { findStoredTree } from '../database/catalog.ts';
import { ReadLane } from '../database/snapshot-read.ts';
import type { Outline } from './child-outline.ts';
import {
  countChildren,
  type LongRead,
  LongReadParts,
  measureSubtree,
  outlineChildren,
  searchSubtree,
  sendOutline,
} from './long-read.ts';
import { childPageJson, type PageRequest, type ReadAuthorizer, readAuthorizedPage } from './page.ts';

export interface ExplorerOptions {
  readonly store: KvStore;
  readonly clock: Clock;
  /** The places for searches of all administrators. */
  readonly searches: ResourcePool;
  /** The places for counts and measurements of all administrators. */
  readonly counts: ResourcePool;
}

/** Maximum number of cached outlines. An outline has at most 1 MiB of keys, and usually less than 50 KiB. */
const MAX_OUTLINES = 16;

/** Maximum length of a database name and path, as JSON, whose outline is cached. */
const MAX_OUTLINE_ID_LENGTH = 4_096;

/** Time in ms for which a cached outline is sent, although the number of children may have changed. */
const OUTLINE_MS = 10_000;

interface KnownOutline {
  readonly outline: Outline;
  /** The stored node of these children. */
  readonly node: NodeId;
  readonly takenMs: number;
}

/**
 * Reads databases of any size for administrators: a page of children in one step, longer reads in several steps.
 * A long read sees each entry as it is when its step runs. All methods throw `http/not-found` if the database
 * does not exist. Results are JSON texts, or lines of JSON that the caller must read to the end or return.
 */
export class Explorer implements Disposable {
  readonly #options: ExplorerOptions;
  readonly #lane = new ReadLane();
  readonly #running = new Set<LongReadParts>();
  readonly #outlines = new RecentMap<KnownOutline>(MAX_OUTLINES, MAX_OUTLINE_ID_LENGTH);

  constructor(options: ExplorerOptions) {
    this.#options = options;
  }

  /** Stops all running reads. */
  [Symbol.dispose](): void {
    for (const parts of [...this.#running]) parts.stop();
  }

  /**
   * Returns a page of the children of a node, in key order. With an authorizer, the page marks the children that the
   * impersonated user may not read.
   */
  readChildren(database: string, request: PageRequest, authorizer?: ReadAuthorizer): string {
    return this.#options.store.read((tx) => {
      const { pageDecision: decision, ...page } = readAuthorizedPage(
        tx,
        requireTree(tx, database),
        request,
        authorizer,
      );
      return childPageJson(page, decision);
    });
  }

  /** Counts the children of a node, or with `before` those before a key. */
  count(holder: Holder, database: string, path: Path, before: Key | undefined): LongReadParts {
    return this.#open('counts', holder, countChildren(this.#requireTree(database), path, before));
  }

  /**
   * Outlines the children of a node. Sends the cached outline if it is at most `OUTLINE_MS` old and the node was not
   * replaced since.
   */
  outline(holder: Holder, database: string, path: Path): LongReadParts {
    const { store, clock } = this.#options;
    const tree = this.#requireTree(database);
    const node = store.read((tx) => nodeIdAt(tx, tree, path));
    const id = JSON.stringify([database, path]);
    const known = this.#outlines.find(id);
    const isFresh =
      known !== undefined && known.node === node && clock.elapsedMs() - known.takenMs <= OUTLINE_MS;
    const remember = (outline: Outline): void => {
      if (node !== undefined) this.#outlines.write(id, { outline, node, takenMs: clock.elapsedMs() });
    };
    const read = isFresh ? sendOutline(known.outline) : outlineChildren(tree, path, remember);
    return this.#open('counts', holder, read);
  }

  /** Measures the subtree at a path. */
  measure(holder: Holder, database: string, path: Path): LongReadParts {
    return this.#open('counts', holder, measureSubtree(this.#requireTree(database), path));
  }

  /**
   * Searches keys and values at and below a path. `currentAuthorizer` returns an authorizer for each step; with it,
   * the search finds only data that the impersonated user may read.
   */
  search(
    holder: Holder,
    database: string,
    path: Path,
    request: SearchRequest,
    currentAuthorizer?: () => ReadAuthorizer,
  ): LongReadParts {
    const read = searchSubtree(this.#requireTree(database), path, request, currentAuthorizer);
    return this.#open('searches', holder, read);
  }

  #requireTree(database: string): StoredTree {
    return this.#options.store.read((tx) => requireTree(tx, database));
  }

  /** Throws `request/overload` if all places are taken and no holder can be evicted. */
  #open(kind: 'searches' | 'counts', holder: Holder, read: LongRead): LongReadParts {
    const { store, clock } = this.#options;
    const place = this.#options[kind].requirePlace(holder, kind, () => parts.stop());
    const onEnd = (): void => void this.#running.delete(parts);
    const parts = new LongReadParts({ store, clock, lane: this.#lane, read, place, onEnd });
    this.#running.add(parts);
    return parts;
  }
}

/** Returns the ID of the node whose children are separate entries; `undefined` for a small node. */
function nodeIdAt(tx: KvRead, tree: StoredTree, path: Path): NodeId | undefined {
  const content = readContent(tx, tree, path);
  return content.kind === 'entry' && content.entry.kind === 'reference' ? content.entry.node : undefined;
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
