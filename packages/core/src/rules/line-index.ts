/** A place in a text as people name it; both count from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The mark that a file may begin with: no editor counts it. */
const BYTE_ORDER_MARK = '\ufeff';

/** Where the lines of a text begin, so that many places in it are found quickly. */
export class LineIndex {
  /** Offsets in UTF-16 units, ascending. */
  readonly #starts: readonly number[];

  constructor(source: string) {
    this.#starts = findLineStarts(source);
  }

  /** The place of an offset in UTF-16 units. */
  positionOf(offset: number): TextPosition {
    let line = 1;
    let last = this.#starts.length;
    // The line is the last one that begins at or before the offset.
    while (line < last) {
      const middle = Math.ceil((line + last) / 2);
      if (this.#startOf(middle) <= offset) line = middle;
      else last = middle - 1;
    }
    return { line, column: Math.max(offset - this.#startOf(line), 0) + 1 };
  }

  #startOf(line: number): number {
    return this.#starts[line - 1] ?? 0;
  }
}

function findLineStarts(source: string): readonly number[] {
  const starts = [source.startsWith(BYTE_ORDER_MARK) ? 1 : 0];
  for (let end = source.indexOf('\n'); end !== -1; end = source.indexOf('\n', end + 1)) starts.push(end + 1);
  return starts;
}
