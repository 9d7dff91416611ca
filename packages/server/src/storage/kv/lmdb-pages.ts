import { type LeafValue, LmdbFile, LONG_VALUE_AT } from './lmdb-file.ts';

/** How the pages of a data file are used. */
export interface PageUse {
  /** Number of all pages, including the two meta pages. */
  readonly pages: number;
  readonly freePages: number;
  /**
   * Number of pages that are neither used nor free. Their space is lost until the data is imported again. 0 if there
   * are problems, because the check then does not reach every page.
   */
  readonly lostPages: number;
  /** At most ten sentences. Each describes damage that leads to a loss of data. */
  readonly problems: readonly string[];
}

const META_PAGES = 2;
const MAX_PROBLEMS = 10;
const PAGES_PER_STEP = 1_000;
const PAGE_NUMBER_BYTES = 8;

const FREE_LIST = 'the list of free pages';
const TABLES = 'the table of tables';
const FREE = 'free';

/**
 * Checks every page of a data file once, without LMDB: each page must be free or have exactly one use. Checks the
 * state that is current when the check starts. If another process writes, the caller must open a reader first and keep
 * it open. Uses one byte of memory per page and yields regularly.
 */
export function* checkPages(path: string): Generator<void, PageUse> {
  using file = new LmdbFile(path);
  return yield* new PageWalk(file).run();
}

interface Visit {
  readonly page: number;
  readonly owner: string;
}

class PageWalk {
  readonly #file: LmdbFile;
  readonly #pageBytes: number;
  readonly #lastPage: number;
  /** By page: the number of its owner, counted from 1 in order of appearance; 0 if no owner has been found yet. */
  readonly #owners: Uint8Array;
  readonly #ownerNames: string[] = [];
  readonly #problems: string[] = [];
  readonly #visits: Visit[] = [];
  #freePages = 0;

  constructor(file: LmdbFile) {
    const { latest } = file;
    this.#file = file;
    this.#pageBytes = latest?.pageBytes ?? 0;
    this.#lastPage = latest?.lastPage ?? -1;
    this.#owners = new Uint8Array(this.#lastPage + 1);
    if (latest === undefined) return;
    this.#take(0, META_PAGES, 'the first pages');
    if (latest.tablesRoot !== undefined) this.#visits.push({ page: latest.tablesRoot, owner: TABLES });
    if (latest.freeRoot !== undefined) this.#visits.push({ page: latest.freeRoot, owner: FREE_LIST });
  }

  *run(): Generator<void, PageUse> {
    for (let seen = 1; this.#problems.length < MAX_PROBLEMS; seen += 1) {
      const visit = this.#visits.pop();
      if (visit === undefined) break;
      this.#visit(visit);
      if (seen % PAGES_PER_STEP === 0) yield;
    }
    const lostPages = this.#owners.reduce((sum, owner) => sum + (owner === 0 ? 1 : 0), 0);
    return {
      pages: this.#lastPage + 1,
      freePages: this.#freePages,
      lostPages: this.#problems.length === 0 ? lostPages : 0,
      problems: this.#problems,
    };
  }

  #visit({ page, owner }: Visit): void {
    if (!this.#take(page, 1, owner)) return;
    const read = this.#file.readPage(page, this.#pageBytes);
    if (read === undefined || read.kind === 'long')
      this.#recordProblem(`page ${page} of ${owner} is not a valid page of a tree`);
    else if (read.kind === 'branch')
      this.#visits.push(...read.below.map((below) => ({ page: below, owner })));
    else for (const value of read.values) this.#visitValue(value, owner);
  }

  #visitValue(value: LeafValue, owner: string): void {
    if (value.kind === 'table') {
      const name = `table ${value.key.toString('latin1').replace(/\0$/, '')}`;
      if (value.root !== undefined) this.#visits.push({ page: value.root, owner: name });
      return;
    }
    const bytes = value.kind === 'bytes' ? value.bytes : this.#readLong(value.firstPage, value.length, owner);
    if (owner === FREE_LIST && bytes !== undefined) this.#takeFree(bytes);
  }

  #readLong(firstPage: number, length: number, owner: string): Buffer | undefined {
    const first = this.#file.readPage(firstPage, this.#pageBytes);
    if (first?.kind !== 'long' || first.pages * this.#pageBytes < LONG_VALUE_AT + length) {
      this.#recordProblem(`page ${firstPage} of ${owner} is not the start of a long value`);
      return undefined;
    }
    if (!this.#take(firstPage, first.pages, owner) || owner !== FREE_LIST) return undefined;
    return this.#file.readBytes(firstPage * this.#pageBytes + LONG_VALUE_AT, length);
  }

  /**
   * Marks the pages in a record of the list of free pages. Shape: the number of pages, then their page numbers.
   */
  #takeFree(record: Buffer): void {
    const count = record.length < PAGE_NUMBER_BYTES ? 0 : Number(record.readBigUInt64LE(0));
    if (count === 0 || record.length < (count + 1) * PAGE_NUMBER_BYTES) {
      this.#recordProblem('a record of the list of free pages is too short');
      return;
    }
    for (let index = 1; index <= count; index += 1) {
      const page = record.readBigUInt64LE(index * PAGE_NUMBER_BYTES);
      if (!this.#take(Number(page), 1, FREE)) return;
      this.#freePages += 1;
    }
  }

  /**
   * Assigns pages to an owner. Returns false and records a problem if a page does not exist or already has an
   * owner.
   */
  #take(firstPage: number, count: number, owner: string): boolean {
    const lastPage = firstPage + count - 1;
    if (lastPage > this.#lastPage) {
      this.#recordProblem(`page ${lastPage} of ${owner} is beyond the last page, ${this.#lastPage}`);
      return false;
    }
    for (let page = firstPage; page <= lastPage; page += 1) {
      const before = this.#owners[page] ?? 0;
      if (before !== 0) {
        this.#recordProblem(`page ${page} is used twice: ${this.#ownerNames[before - 1]} and ${owner}`);
        return false;
      }
      this.#owners[page] = this.#numberOf(owner);
    }
    return true;
  }

  #numberOf(owner: string): number {
    const known = this.#ownerNames.indexOf(owner);
    return known === -1 ? this.#ownerNames.push(owner) : known + 1;
  }

  #recordProblem(problem: string): void {
    this.#problems.push(problem);
  }
}
