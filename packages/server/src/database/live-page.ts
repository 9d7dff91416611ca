import type { Key } from '@hearth/core/tree/key.ts';
import { type FeedSource, type FeedStep, NOTHING_TO_TELL } from '../feed/feed-source.ts';
import type { Clock } from '../ops/clock.ts';
import { isWithinPage, type PageEdges, type PagePlace } from '../tree/child-page.ts';
import { childPageJson } from './explorer-json.ts';
import type { Watcher } from './listen-registry.ts';
import { type PageReading, pageEvent, type ShownPage } from './page-reading.ts';

export interface LivePageOptions {
  readonly clock: Clock;
  readonly place: PagePlace;
  readonly readPage: () => PageReading;
  readonly readEdges: (shown: ShownPage) => PageEdges;
  /** Begins to tell the page what commits touch; returns how to stop it. */
  readonly watch: (page: LivePage) => () => void;
  readonly wake: () => void;
  /** How many live pages there are. */
  readonly countPages: () => number;
}

/** Changes that come sooner after the last event are told together. */
const GATHER_MS = 80;

/** A page rests so many times as long as all pages took together, if each took as long as it did itself. */
const REST_FACTOR = 3;

/** But no longer: what took long may have been held up. */
const MAX_REST_MS = 2_000;

/** Touched keys that are remembered one by one; more than that count as all. */
const MAX_TOUCHED = 1_000;

/**
 * A page of children that follows what is written. It is read again when a child of its range was touched, and then told with
 * the keys of those; of what is written beside its range it is only looked whether there is still something there.
 */
export class LivePage implements FeedSource, Watcher {
  readonly #options: LivePageOptions;
  readonly #unwatch: () => void;
  /** The page as it was told last. */
  #shown: ShownPage | undefined;
  #staleness: 'none' | 'edges' | 'page' = 'none';
  /** What was touched since then; `null` for everything. */
  #touched: Set<Key> | null = new Set();
  /** When the page may be told again, and its edges looked at. */
  #tellFromMs = 0;
  #lookFromMs = 0;

  constructor(options: LivePageOptions) {
    this.#options = options;
    this.#unwatch = options.watch(this);
  }

  noteTouched(keys: ReadonlySet<Key> | null): void {
    const shown = this.#shown;
    // What has not been told yet is not out of date.
    if (shown === undefined) return;
    const before = this.#staleness;
    if (keys === null) this.#touchAll();
    else for (const key of keys) if (isWithinPage(key, this.#options.place, shown)) this.#touch(key);
    if (this.#staleness === 'none') this.#staleness = 'edges';
    if (this.#staleness !== before) this.#options.wake();
  }

  /** Something else than its content may be shown of it: other rules are in force. */
  noteJudgedAnew(): void {
    if (this.#shown === undefined || this.#staleness === 'page') return;
    this.#staleness = 'page';
    this.#options.wake();
  }

  next(): FeedStep {
    const shown = this.#shown;
    if (shown === undefined) return this.#tellFirst();
    switch (this.#staleness) {
      case 'none':
        return NOTHING_TO_TELL;
      case 'edges':
        return this.#waitUntil(this.#lookFromMs) ?? this.#checkEdges(shown);
      case 'page':
        return this.#waitUntil(this.#tellFromMs) ?? this.#tellAgain(shown);
      default:
        return this.#staleness satisfies never;
    }
  }

  end(): void {
    this.#unwatch();
  }

  #touch(key: Key): void {
    this.#staleness = 'page';
    this.#touched?.add(key);
    if (this.#touched !== null && this.#touched.size > MAX_TOUCHED) this.#touchAll();
  }

  #touchAll(): void {
    this.#staleness = 'page';
    this.#touched = null;
  }

  #waitUntil(atMs: number): FeedStep | undefined {
    const ms = atMs - this.#options.clock.elapsedMs();
    return ms > 0 ? { kind: 'wait', ms } : undefined;
  }

  #checkEdges(shown: ShownPage): FeedStep {
    const { clock, readEdges } = this.#options;
    const startedMs = clock.elapsedMs();
    this.#staleness = 'none';
    const isSame = edgesText(readEdges(shown)) === edgesText(shown);
    this.#lookFromMs = this.#restAfter(clock.elapsedMs() - startedMs);
    return isSame ? NOTHING_TO_TELL : this.#tellAgain(shown);
  }

  #tellFirst(): FeedStep {
    const reading = this.#options.readPage();
    this.#refresh(reading);
    return pageEvent(reading);
  }

  #tellAgain(before: ShownPage): FeedStep {
    const reading = this.#options.readPage();
    const { shown } = reading;
    const keys = new Set([...before.keys, ...shown.keys]);
    const changed = [...keys].filter((key) => this.#touched?.has(key) ?? true);
    const isSame = changed.length === 0 && shown.digest === before.digest;
    this.#refresh(reading);
    return isSame ? NOTHING_TO_TELL : pageEvent(reading, changed);
  }

  #refresh({ shown, tookMs }: PageReading): void {
    this.#shown = shown;
    this.#staleness = 'none';
    this.#touched = new Set();
    this.#tellFromMs = this.#restAfter(tookMs);
  }

  /** When work that takes so long may be done again: all pages together are to leave most of the time to others. */
  #restAfter(tookMs: number): number {
    const { clock, countPages } = this.#options;
    const restMs = tookMs * countPages() * REST_FACTOR;
    return clock.elapsedMs() + Math.min(Math.max(restMs, GATHER_MS), MAX_REST_MS);
  }
}

function edgesText({ node, previous, next }: PageEdges): string {
  return childPageJson({ node, previous, next, children: [] });
}
