import type { PageReading } from './page-reading.ts';

/** Bytes of text that are kept at most; beyond, the oldest is read again by the next who wants it. */
const MAX_KEPT_BYTES = 8 * 2 ** 20;

/** The latest readings of pages, so that a page that many follow is read and encoded once for all of them. */
export class PageReadings {
  readonly #maxBytes: number;
  readonly #kept = new Map<string, PageReading>();
  #keptBytes = 0;

  constructor(maxBytes = MAX_KEPT_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The reading of a page since which it was not dropped, or else a new one. */
  read(id: string, take: () => PageReading): PageReading {
    const kept = this.#kept.get(id);
    if (kept !== undefined) return kept;
    const reading = take();
    this.#kept.set(id, reading);
    this.#keptBytes += reading.text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#keptBytes <= this.#maxBytes) break;
      this.drop(oldest);
    }
    return reading;
  }

  /** Something on the page may have changed. */
  drop(id: string): void {
    this.#keptBytes -= this.#kept.get(id)?.text.length ?? 0;
    this.#kept.delete(id);
  }
}
