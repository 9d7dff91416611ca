import type { Key } from '@hearth/core/tree/key.ts';
import { type FeedSource, type FeedStep, feedEvent, NOTHING_TO_TELL } from '../feed/feed-source.ts';
import type { Clock } from '../ops/clock.ts';
import { type ChildPage, isWithinPage, type PageEdges, type PagePlace } from '../tree/child-page.ts';
import { childPageJson } from './explorer-json.ts';
import type { Watcher } from './listen-registry.ts';

export interface LivePageOptions {
  readonly clock: Clock;
  readonly place: PagePlace;
  readonly readPage: () => ChildPage;
  readonly readEdges: (shown: ChildPage) => PageEdges;
  /** Begins to tell a watcher what commits touch; returns how to stop it. */
  readonly watch: (watcher: Watcher) => () => void;
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
  #shown: ChildPage | undefined;
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

  #checkEdges(shown: ChildPage): FeedStep {
    const { clock, readEdges } = this.#options;
    const startedMs = clock.elapsedMs();
    this.#staleness = 'none';
    const isSame = edgesText(readEdges(shown)) === edgesText(shown);
    this.#lookFromMs = this.#restFrom(startedMs);
    return isSame ? NOTHING_TO_TELL : this.#tellAgain(shown);
  }

  #tellFirst(): FeedStep {
    const startedMs = this.#options.clock.elapsedMs();
    return this.#tell(this.#options.readPage(), startedMs);
  }

  #tellAgain(shown: ChildPage): FeedStep {
    const startedMs = this.#options.clock.elapsedMs();
    const page = this.#options.readPage();
    const keys = new Set([...shown.children, ...page.children].map(({ key }) => key));
    const changed = [...keys].filter((key) => this.#touched?.has(key) ?? true);
    const isSame = changed.length === 0 && childPageJson(page) === childPageJson(shown);
    if (!isSame) return this.#tell(page, startedMs, changed);
    this.#refresh(page, startedMs);
    return NOTHING_TO_TELL;
  }

  #tell(page: ChildPage, startedMs: number, changed?: readonly Key[]): FeedStep {
    const event = feedEvent('page', childPageJson(page, changed));
    this.#refresh(page, startedMs);
    return event;
  }

  #refresh(page: ChildPage, startedMs: number): void {
    this.#shown = page;
    this.#staleness = 'none';
    this.#touched = new Set();
    this.#tellFromMs = this.#restFrom(startedMs);
  }

  /** When work that began at a time may be done again: all pages together are to leave most of the time to others. */
  #restFrom(startedMs: number): number {
    const { clock, countPages } = this.#options;
    const nowMs = clock.elapsedMs();
    const restMs = (nowMs - startedMs) * countPages() * REST_FACTOR;
    return nowMs + Math.min(Math.max(restMs, GATHER_MS), MAX_REST_MS);
  }
}

function edgesText({ node, previous, next }: PageEdges): string {
  return childPageJson({ node, previous, next, children: [] });
}
