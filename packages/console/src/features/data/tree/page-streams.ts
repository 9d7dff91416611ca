import type { LivePage } from '../../../server/data.ts';
import type { NodePath } from '../model/node-path.ts';
import type { BranchPage } from './branch.ts';
import type { ChildSource } from './child-source.ts';
import type { VisiblePage } from './choose-pages.ts';
import { PAGE_SIZE } from './page-size.ts';

/** What is told of pages that are read or followed. */
export interface PageNews {
  page(path: NodePath, id: number, answer: LivePage): void;
  failed(path: NodePath, error: unknown): void;
}

/** The pages that are followed by streams. */
export class PageStreams {
  readonly #source: ChildSource;
  readonly #news: PageNews & { ended(): void };
  readonly #streams = new Map<number, AbortController>();

  constructor(source: ChildSource, news: PageNews & { ended(): void }) {
    this.#source = source;
    this.#news = news;
  }

  has(id: number): boolean {
    return this.#streams.has(id);
  }

  /** Follows these pages, and no others any more. */
  follow(chosen: readonly VisiblePage[]): void {
    const ids = new Set(chosen.map(({ page }) => page.id));
    for (const [id, abort] of this.#streams)
      if (!ids.has(id)) {
        this.#streams.delete(id);
        abort.abort();
      }
    for (const { path, page } of chosen) if (!this.#streams.has(page.id)) void this.#follow(path, page);
  }

  stop(): void {
    for (const abort of this.#streams.values()) abort.abort();
    this.#streams.clear();
  }

  async #follow(path: NodePath, { id, place }: BranchPage): Promise<void> {
    const abort = new AbortController();
    this.#streams.set(id, abort);
    try {
      for await (const answer of this.#source.follow({ path, place, limit: PAGE_SIZE }, abort.signal)) {
        if (abort.signal.aborted) return;
        this.#news.page(path, id, answer);
      }
      if (!abort.signal.aborted) this.#news.ended();
    } catch (error) {
      if (!abort.signal.aborted) this.#news.failed(path, error);
    } finally {
      if (this.#streams.get(id) === abort) this.#streams.delete(id);
    }
  }
}
