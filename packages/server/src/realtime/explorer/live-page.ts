import { createHash } from 'node:crypto';
import type { Key } from '@hearth/core/tree/key.ts';
import { type FeedSource, type FeedStep, NOTHING_TO_SEND } from '../../http/feed.ts';
import type { Clock } from '../../platform/clock.ts';
import {
  type ChildPage,
  isWithinPage,
  type PageEdges,
  type PagePosition,
} from '../../storage/tree/child-page.ts';
import type { Watcher } from '../database/listens.ts';
import { childPageJson, type PageDecision } from './page.ts';

/** The edges, keys and digest of a sent page. */
export interface ShownPage extends PageEdges {
  /** Keys of its children, in order. */
  readonly keys: readonly Key[];
  /** Digest of the whole page: equal for equal pages. */
  readonly digest: string;
}

/** A page as read at one time, for all its subscribers. */
export interface PageReading {
  readonly shown: ShownPage;
  /** The text of the page's event, without the end of its JSON. */
  readonly text: Buffer;
  /** Time that reading and encoding took, in ms. */
  readonly tookMs: number;
}

/** A page, with a decision if it is read for an impersonated user. */
export interface ReadPage extends ChildPage {
  readonly pageDecision?: PageDecision;
}

/** Reads and encodes a page. */
export function takePageReading(clock: Clock, readPage: () => ReadPage): PageReading {
  const startedMs = clock.elapsedMs();
  const { node, previous, next, children, pageDecision: decision } = readPage();
  const keys = children.map(({ key }) => key);
  const json = childPageJson({ node, previous, next, children }, decision);
  const text = Buffer.from(`event: page\ndata: ${json.slice(0, -1)}`);
  const digest = createHash('sha256').update(text).digest('base64');
  return {
    shown: { node, previous, next, keys, digest },
    text,
    tookMs: clock.elapsedMs() - startedMs,
  };
}

/** Returns the event that sends a page, optionally with the keys of its changes. */
function pageEvent({ text }: PageReading, changed?: readonly Key[]): FeedStep {
  const end = changed === undefined ? '' : `,"changed":${JSON.stringify(changed)}`;
  return { kind: 'event', parts: [text, Buffer.from(`${end}}\n\n`)] };
}

/**
 * Maximum number of bytes of text in the cache. When there are more, the oldest readings are dropped. Their pages
 * are read again when needed.
 */
const MAX_STORED_BYTES = 8 * 2 ** 20;

/** A cache of page readings, so that a page with many subscribers is read and encoded once for all of them. */
export class PageReadings {
  readonly #maxBytes: number;
  readonly #kept = new Map<string, PageReading>();
  #storedBytes = 0;

  constructor(maxBytes = MAX_STORED_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the cached reading of a page, or takes a new one. */
  read(id: string, take: () => PageReading): PageReading {
    const kept = this.#kept.get(id);
    if (kept !== undefined) return kept;
    const reading = take();
    this.#kept.set(id, reading);
    this.#storedBytes += reading.text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#storedBytes <= this.#maxBytes) break;
      this.drop(oldest);
    }
    return reading;
  }

  /** Drops a reading because the page may have changed. */
  drop(id: string): void {
    this.#storedBytes -= this.#kept.get(id)?.text.length ?? 0;
    this.#kept.delete(id);
  }
}

export interface LivePageOptions {
  readonly clock: Clock;
  readonly position: PagePosition;
  readonly readPage: () => PageReading;
  readonly readEdges: (shown: ShownPage) => PageEdges;
  /** Subscribes the page to the keys that commits touch. Returns a function that unsubscribes it. */
  readonly watch: (page: LivePage) => () => void;
  readonly wake: () => void;
  /** Returns the number of live pages. */
  readonly countPages: () => number;
}

/** Changes less than this time after the last event, in ms, are sent together. */
const GATHER_MS = 80;

/**
 * A page pauses for this factor times the duration of refreshing all pages, estimated from its own last
 * refresh.
 */
const REST_FACTOR = 3;

/** Longest pause, in ms: a slow refresh may have been delayed by something else. */
const MAX_REST_MS = 2_000;

/** Maximum number of touched keys that are tracked one by one. If there are more, all keys count as touched. */
const MAX_TOUCHED = 1_000;

/**
 * A page of children that follows writes. When a child in its range is touched, the page is read again and sent
 * with the touched keys. Writes outside its range only cause a check whether there are still children before
 * and after it.
 */
export class LivePage implements FeedSource, Watcher {
  readonly #options: LivePageOptions;
  readonly #unwatch: () => void;
  /** The page as last sent. */
  #shown: ShownPage | undefined;
  #staleness: 'none' | 'edges' | 'page' = 'none';
  /** Keys touched since the last event; `null` for all. */
  #touched: Set<Key> | null = new Set();
  /** Times from which the page may be sent again, and from which its edges may be checked. */
  #sendFromMs = 0;
  #checkFromMs = 0;

  constructor(options: LivePageOptions) {
    this.#options = options;
    this.#unwatch = options.watch(this);
  }

  onTouched(keys: ReadonlySet<Key> | null): void {
    const shown = this.#shown;
    // A page that has not been sent yet is not out of date.
    if (shown === undefined) return;
    const before = this.#staleness;
    if (keys === null) this.#touchAll();
    else for (const key of keys) if (isWithinPage(key, this.#options.position, shown)) this.#touch(key);
    if (this.#staleness === 'none') this.#staleness = 'edges';
    if (this.#staleness !== before) this.#options.wake();
  }

  /** Marks the page to be read again because new rules took effect, which may allow or deny other reads. */
  onRulesChanged(): void {
    if (this.#shown === undefined || this.#staleness === 'page') return;
    this.#staleness = 'page';
    this.#options.wake();
  }

  next(): FeedStep {
    const shown = this.#shown;
    if (shown === undefined) return this.#sendFirst();
    switch (this.#staleness) {
      case 'none':
        return NOTHING_TO_SEND;
      case 'edges':
        return this.#waitUntil(this.#checkFromMs) ?? this.#checkEdges(shown);
      case 'page':
        return this.#waitUntil(this.#sendFromMs) ?? this.#sendAgain(shown);
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
    this.#checkFromMs = this.#restAfter(clock.elapsedMs() - startedMs);
    return isSame ? NOTHING_TO_SEND : this.#sendAgain(shown);
  }

  #sendFirst(): FeedStep {
    const reading = this.#options.readPage();
    this.#refresh(reading);
    return pageEvent(reading);
  }

  #sendAgain(before: ShownPage): FeedStep {
    const reading = this.#options.readPage();
    const { shown } = reading;
    const keys = new Set([...before.keys, ...shown.keys]);
    const changed = [...keys].filter((key) => this.#touched?.has(key) ?? true);
    const isSame = changed.length === 0 && shown.digest === before.digest;
    this.#refresh(reading);
    return isSame ? NOTHING_TO_SEND : pageEvent(reading, changed);
  }

  #refresh({ shown, tookMs }: PageReading): void {
    this.#shown = shown;
    this.#staleness = 'none';
    this.#touched = new Set();
    this.#sendFromMs = this.#restAfter(tookMs);
  }

  /**
   * Returns the time from which work of this duration may run again. All pages together must leave most of the
   * time to other work.
   */
  #restAfter(tookMs: number): number {
    const { clock, countPages } = this.#options;
    const restMs = tookMs * countPages() * REST_FACTOR;
    return clock.elapsedMs() + Math.min(Math.max(restMs, GATHER_MS), MAX_REST_MS);
  }
}

function edgesText({ node, previous, next }: PageEdges): string {
  return childPageJson({ node, previous, next, children: [] });
}
