import { setImmediate } from 'node:timers/promises';
import type { BookRow, Books, Place, RowRange } from '../../books/books.ts';

/** Rows that are read at once, so that nobody else waits for long. */
const STEP_ROWS = 250;

export interface StepOptions {
  /** Only names that begin with it. */
  readonly prefix?: string;
  /** Only names after it; not together with a prefix. */
  readonly after?: string;
  readonly isReversed?: boolean;
}

/** Reads what is at a place of a book in order, a few rows at a time, and lets others in between. */
export async function* readInSteps(
  books: Books,
  book: string,
  place: Place,
  { prefix = '', after, isReversed = false }: StepOptions = {},
): AsyncGenerator<readonly BookRow[]> {
  let start: Omit<RowRange, 'limit'> = {
    ...(prefix === '' ? {} : { prefix }),
    ...(after === undefined ? {} : { after }),
  };
  for (;;) {
    const range = { ...start, limit: STEP_ROWS, isReversed };
    const rows = books.read((view) => view.book(book).list(place, range));
    const fitting = rows.filter(({ key }) => key.startsWith(prefix));
    yield fitting;
    const last = fitting.at(-1)?.key;
    if (last === undefined || fitting.length < STEP_ROWS) return;
    start = isReversed ? { before: last } : { after: last };
    await setImmediate();
  }
}

/** Some rows of many, without those before them. */
export async function takeRows(
  steps: AsyncIterable<readonly BookRow[]>,
  offset: number,
  limit: number,
): Promise<readonly BookRow[]> {
  const taken: BookRow[] = [];
  let skipped = 0;
  for await (const rows of steps) {
    const from = Math.min(rows.length, offset - skipped);
    skipped += from;
    taken.push(...rows.slice(from, from + limit - taken.length));
    if (taken.length === limit) break;
  }
  return taken;
}
