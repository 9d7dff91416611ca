import type { NodePath } from '../model/node-path.ts';
import type { BranchPage } from './branch.ts';
import type { ChildSource } from './child-source.ts';
import { PAGE_SIZE } from './page-size.ts';
import type { PageNews } from './page-streams.ts';
import type { RowRun } from './tree-rows.ts';

/** Pages that are read at a time. */
const MAX_READS = 3;

/** The pages that are being read, and those that are to be read again. */
export class PageReads {
  readonly #source: ChildSource;
  readonly #news: PageNews;
  readonly #reads = new Map<number, AbortController>();
  /** Pages to be read again soon, though they have rows. */
  readonly #stale = new Set<number>();

  constructor(source: ChildSource, news: PageNews) {
    this.#source = source;
    this.#news = news;
  }

  get hasStale(): boolean {
    return this.#stale.size > 0;
  }

  markStale(id: number): void {
    this.#stale.add(id);
  }

  /** Reads what is not held or stale, as far as there is room for more. */
  read(runs: readonly RowRun[]): void {
    for (const { page, branch } of runs) {
      if (this.#reads.size >= MAX_READS) return;
      if (page === null || this.#reads.has(page.id)) continue;
      if (page.rows === null || this.#stale.has(page.id)) void this.#read(branch.path, page);
    }
  }

  /** A stream has told of a page, and will tell of all that comes: an answer that is under way may be older. */
  overtake(id: number): void {
    this.#reads.get(id)?.abort();
    this.#reads.delete(id);
  }

  stop(): void {
    for (const abort of this.#reads.values()) abort.abort();
    this.#reads.clear();
  }

  async #read(path: NodePath, { id, place }: BranchPage): Promise<void> {
    const abort = new AbortController();
    this.#reads.set(id, abort);
    this.#stale.delete(id);
    try {
      const answer = await this.#source.read({ path, place, limit: PAGE_SIZE }, abort.signal);
      if (abort.signal.aborted) return;
      this.#reads.delete(id);
      this.#news.page(path, id, answer);
    } catch (error) {
      if (abort.signal.aborted) return;
      this.#reads.delete(id);
      this.#news.failed(path, error);
    }
  }
}
