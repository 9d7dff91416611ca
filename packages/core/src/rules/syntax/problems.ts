/** Part of a rules document: UTF-16 units from its start, without the one at `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Offset in a document of the UTF-16 unit at `index` of a text inside it; for the length of the text, where the text ends.
 * A text that is escaped in the document is shorter than what stands there.
 */
export type Locate = (index: number) => number;

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

/** Something wrong in a rules document. `offset` counts UTF-16 units from its start. */
export interface Problem {
  readonly offset: number;
  readonly message: string;
  readonly hint?: Hint | undefined;
}

/** Finds a sentence to append to a message, or nothing. It is asked only for problems that are shown: looking for it takes time. */
export type Hint = () => string;

/** Most problems that are shown: nobody mends more at a time. */
const MAX_SHOWN = 100;

/** A name that a sentence quotes may contain line breaks. */
const CONTROL = /\p{Cc}/gu;

/** One line `line:column: message` per problem, in the order of the document; lines and columns count from 1. */
export function formatProblems(source: string, problems: readonly Problem[]): string {
  const sorted = [...problems].sort((a, b) => a.offset - b.offset).slice(0, MAX_SHOWN);
  const lines = new LineIndex(source);
  const text = sorted.map((problem) => formatProblem(problem, lines)).join('');
  const hidden = problems.length - sorted.length;
  return hidden === 0 ? text : `${text}and ${hidden} more problems\n`;
}

function formatProblem({ offset, message, hint }: Problem, lines: LineIndex): string {
  const { line, column } = lines.positionOf(offset);
  return `${line}:${column}: ${`${message}${hint?.() ?? ''}`.replace(CONTROL, ' ')}\n`;
}

/** Takes a problem of a rules document. `offset` counts UTF-16 units from its start. */
export type Report = (offset: number, message: string, hint?: Hint) => void;

/** Most characters of a name that a sentence shows. */
const MAX_QUOTED = 80;

/** A name in double quotes, on one line and cut to a readable length. */
export function quote(text: string): string {
  return JSON.stringify(cut(text));
}

/** A name in single quotes, as sentences about expressions have them, cut to a readable length. */
export function quoteName(text: string): string {
  return `'${cut(text)}'`;
}

function cut(text: string): string {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}

/** Longest name that is compared, with candidates half as long again at most: the work grows with the product of the lengths. */
const MAX_LENGTH = 40;

/** A sentence to append to a problem with an unknown name; empty if no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const nearest = findNearestName(name, candidates);
  return nearest === undefined ? '' : ` Did you mean '${nearest}'?`;
}

/**
 * The candidate that was probably meant: equal but for case, or a third of its characters at most inserted, left out,
 * replaced or swapped with their neighbour. The first of several that are equally near.
 */
function findNearestName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    // Of names that differ more in length, each further character is one to insert or to leave out.
    if (Math.abs(candidate.length - name.length) > candidate.length / 3) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least && distance <= candidate.length / 3) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest;
}

/** Characters to insert, leave out, replace or swap with their neighbour to make `b` of `a`. */
function editDistance(a: string, b: string): number {
  let beforePrevious: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(previous, j) + 1,
          at(row, j - 1) + 1,
          at(previous, j - 1) + (isSame ? 0 : 1),
          isSwapped ? at(beforePrevious, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforePrevious = previous;
    previous = row;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

/** The first place at which a text stops being an expression of the rules language: an offset in the document. */
export class ExpressionSyntaxError extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.name = 'ExpressionSyntaxError';
    this.offset = offset;
  }
}
