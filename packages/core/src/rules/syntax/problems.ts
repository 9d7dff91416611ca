/** A range of a rules document, in UTF-16 code units from its start. `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Maps an index in a text embedded in a document to an offset in the document. Both count UTF-16 code units.
 * The length of the text maps to the offset at which the text ends. The text is shorter than its form in the
 * document if the document contains escape sequences.
 */
export type Locate = (index: number) => number;

/** A position in a text, as shown to users. Both numbers count from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The byte order mark that a file may begin with. Editors do not count it as a column. */
const BYTE_ORDER_MARK = '\ufeff';

/** An index of the line starts of a text. It makes repeated position lookups fast. */
export class LineIndex {
  /** Offsets in UTF-16 code units, ascending. */
  readonly #starts: readonly number[];

  constructor(source: string) {
    this.#starts = findLineStarts(source);
  }

  /** Returns the position of an offset, which counts UTF-16 code units. */
  positionOf(offset: number): TextPosition {
    let line = 1;
    let last = this.#starts.length;
    // Binary search for the last line that begins at or before the offset.
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

/** A problem in a rules document. `offset` counts UTF-16 code units from the start of the document. */
export interface Problem {
  readonly offset: number;
  readonly message: string;
  readonly hint?: Hint | undefined;
}

/**
 * Returns a sentence to append to a message, or an empty string. It is called only for problems that are shown,
 * because the search for a similar name takes time.
 */
export type Hint = () => string;

/** Maximum number of problems shown. Users do not fix more at a time. */
const MAX_SHOWN_PROBLEMS = 100;

/** Matches control characters. A name quoted in a message may contain line breaks. */
const CONTROL_CHARACTERS = /\p{Cc}/gu;

/** Returns one line `line:column: message` per problem, in document order. Lines and columns count from 1. */
export function formatProblems(source: string, problems: readonly Problem[]): string {
  const sorted = [...problems].sort((a, b) => a.offset - b.offset).slice(0, MAX_SHOWN_PROBLEMS);
  const lines = new LineIndex(source);
  const text = sorted.map((problem) => formatProblem(problem, lines)).join('');
  const omittedCount = problems.length - sorted.length;
  return omittedCount === 0 ? text : `${text}and ${omittedCount} more problems\n`;
}

function formatProblem({ offset, message, hint }: Problem, lines: LineIndex): string {
  const { line, column } = lines.positionOf(offset);
  return `${line}:${column}: ${`${message}${hint?.() ?? ''}`.replace(CONTROL_CHARACTERS, ' ')}\n`;
}

/**
 * Receives a problem in a rules document. `offset` counts UTF-16 code units from the start of the document.
 */
export type Report = (offset: number, message: string, hint?: Hint) => void;

/** Maximum length of a quoted name in a message, in UTF-16 code units. */
const MAX_QUOTED_LENGTH = 80;

/** Returns a name in double quotes, on one line and truncated to a readable length. */
export function quote(text: string): string {
  return JSON.stringify(truncate(text));
}

/**
 * Returns a name in single quotes, as messages about expressions use them, truncated to a readable length.
 */
export function quoteName(text: string): string {
  return `'${truncate(text)}'`;
}

function truncate(text: string): string {
  return text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text;
}

/**
 * Maximum length of a name that is compared with candidates. A compared candidate is at most 1.5 times as long as the
 * name. The cost grows with the product of the two lengths.
 */
const MAX_COMPARED_LENGTH = 40;

/**
 * Returns a sentence to append to a problem with an unknown name. Returns an empty string if no candidate is
 * similar.
 */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const nearest = findNearestName(name, candidates);
  return nearest === undefined ? '' : ` Did you mean '${nearest}'?`;
}

/**
 * Returns the most similar candidate, ignoring case. At most a third of the candidate's characters may be
 * inserted, omitted, replaced or swapped with a neighbor. Among equally similar candidates, returns the
 * first.
 */
function findNearestName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > MAX_COMPARED_LENGTH) return undefined;
  let nearest: string | undefined;
  let leastDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    // The edit distance is at least the difference in length, so these candidates are too far away.
    if (Math.abs(candidate.length - name.length) > candidate.length / 3) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < leastDistance && distance <= candidate.length / 3) {
      nearest = candidate;
      leastDistance = distance;
    }
  }
  return nearest;
}

/**
 * Returns the least number of insertions, omissions, replacements and swaps of neighboring characters that turn `a`
 * into `b`.
 */
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

/** The first error in the text of a rule expression. `offset` is its offset in the document. */
export class ExpressionSyntaxError extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.name = 'ExpressionSyntaxError';
    this.offset = offset;
  }
}
