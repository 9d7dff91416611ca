import { NO_QUERY } from '@hearth/core/rules/evaluate/scope.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { pathOf } from '@hearth/core/tree/path.ts';
import { END_OF_PARTS, ReleasableParts } from '../../http/byte-parts.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Lease } from '../../platform/lease.ts';
import type { KvRead, KvStore } from '../../storage/kv/store.ts';
import { ChildCount } from '../../storage/tree/child-page.ts';
import type { StoredTree } from '../../storage/tree/stored-tree.ts';
import { type SearchRequest, SubtreeSearch } from '../../storage/tree/subtree-search.ts';
import { SubtreeSize } from '../../storage/tree/subtree-walk.ts';
import { MAX_STEP_MS, type ReadLane } from '../database/snapshot-read.ts';
import { ChildOutline, type Outline } from './child-outline.ts';
import { outlineLine, progressLine, type ReadAuthorizer, readCheck, searchHitLine } from './page.ts';

/** A read that may need several steps, and reports in lines of JSON text. */
export interface LongRead {
  /** Reads until the end or until `isOver` returns true. Returns the lines found, and whether the read is complete. */
  step(tx: KvRead, isOver: () => boolean): { readonly lines: string; readonly isDone: boolean };
  progressLine(): string;
  doneLine(): string;
}

/** Counts the children of a node, or with `before` those before a key. */
export function countChildren(tree: StoredTree, path: readonly Key[], before: Key | undefined): LongRead {
  const count = new ChildCount(tree, path, before);
  return {
    step: (tx, isOver) => ({ lines: '', isDone: count.step(tx, isOver) }),
    progressLine: () => progressLine('progress', { count: count.count }),
    doneLine: () => progressLine('done', { count: count.count }),
  };
}

/** Outlines the children of a node. `onDone` receives the outline when it is complete. */
export function outlineChildren(
  tree: StoredTree,
  path: readonly Key[],
  onDone: (outline: Outline) => void,
): LongRead {
  const outline = new ChildOutline(tree, path);
  return {
    step: (tx, isOver) => ({ lines: '', isDone: outline.step(tx, isOver) }),
    progressLine: () => progressLine('progress', { count: outline.outline.count }),
    doneLine() {
      onDone(outline.outline);
      return outlineLine(outline.outline);
    },
  };
}

/** Returns a read that only sends an outline that is known. */
export function sendOutline(outline: Outline): LongRead {
  return {
    step: () => ({ lines: '', isDone: true }),
    progressLine: () => '',
    doneLine: () => outlineLine(outline),
  };
}

/** Measures the subtree at a path. */
export function measureSubtree(tree: StoredTree, path: readonly Key[]): LongRead {
  const size = new SubtreeSize(tree, path);
  return {
    step: (tx, isOver) => ({ lines: '', isDone: size.step(tx, isOver) }),
    progressLine: () => progressLine('progress', { entries: size.entries, bytes: size.bytes }),
    doneLine: () => progressLine('done', { entries: size.entries, bytes: size.bytes }),
  };
}

/**
 * Searches matching keys and values at and below a path. With `currentAuthorizer`, finds only data that the
 * impersonated user may read.
 */
export function searchSubtree(
  tree: StoredTree,
  path: readonly Key[],
  request: SearchRequest,
  currentAuthorizer?: () => ReadAuthorizer,
): LongRead {
  const search = new SubtreeSearch(tree, path, request);
  const progress = () => ({ entries: search.entries, bytes: search.bytes, hits: search.hits });
  return {
    step(tx, isOver) {
      const authorizer = currentAuthorizer?.();
      const mayRead = authorizer && readCheck(tx, tree, authorizer);
      const canReport = mayRead && ((keys: readonly Key[]) => mayRead(pathOf(keys), NO_QUERY));
      const { found, isDone } = search.step(tx, isOver, canReport);
      return { lines: found.map(searchHitLine).join(''), isDone };
    },
    progressLine: () => progressLine('progress', progress()),
    doneLine: () => progressLine('done', { ...progress(), isComplete: !search.isCut }),
  };
}

export interface LongReadPartsOptions {
  readonly store: KvStore;
  readonly clock: Clock;
  readonly lane: ReadLane;
  readonly read: LongRead;
  /** Released when the read ends. */
  readonly place: Lease;
  /** Called once, when the read has ended. */
  readonly onEnd: () => void;
}

/** Interval between two progress lines, in ms. */
const PROGRESS_INTERVAL_MS = 250;

/**
 * Streams the lines of a long read. Works only while the consumer requests lines, in steps of a few milliseconds, one
 * per iteration of the event loop. After `return()` the read ends between two steps and its last line is missing.
 */
export class LongReadParts extends ReleasableParts {
  readonly #options: LongReadPartsOptions;
  readonly #broken = new AbortController();
  #reportedMs: number;
  #hasEnded = false;

  constructor(options: LongReadPartsOptions) {
    super();
    this.#options = options;
    this.#reportedMs = options.clock.elapsedMs();
  }

  override async next(): Promise<IteratorResult<Buffer, void>> {
    this.#options.place.recordProgress();
    try {
      for (;;) {
        if (!this.#hasEnded) await this.#options.lane.enter();
        if (this.#hasEnded) return END_OF_PARTS;
        this.#options.place.recordProgress();
        const lines = this.#step();
        if (lines !== '') return { done: false, value: Buffer.from(lines) };
      }
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** Aborted by `stop`, also while the reader is not waiting for a line. */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /** Ends the read without a request of its consumer. */
  stop(): void {
    this.end();
    this.#broken.abort();
  }

  #step(): string {
    const { store, clock, read } = this.#options;
    const endMs = clock.elapsedMs() + MAX_STEP_MS;
    const { lines, isDone } = store.read((tx) => read.step(tx, () => clock.elapsedMs() >= endMs));
    const isDue = clock.elapsedMs() - this.#reportedMs >= PROGRESS_INTERVAL_MS;
    if (isDone) this.end();
    else if (!isDue) return lines;
    this.#reportedMs = clock.elapsedMs();
    return lines + (isDone ? read.doneLine() : read.progressLine());
  }

  override end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#options.place.release();
    this.#options.onEnd();
  }
}
