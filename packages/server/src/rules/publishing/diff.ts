/** Consecutive lines from `start` to `end` (exclusive), counted from 0. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Lines of one text that replace lines of another. One of the ranges may be empty, but not both. */
export interface LineChange {
  readonly before: LineRange;
  readonly after: LineRange;
}

/** Steps after which the texts are too different to search for common lines: about 30 ms. */
const MAX_STEPS = 1_000_000;

/**
 * Returns the changes that convert one list of lines to another, in order and with at least one common line
 * between any two changes. The changes have the fewest possible lines. If finding them takes too long, the
 * result is one change from the first difference to the last.
 */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
  maxSteps = MAX_STEPS,
): readonly LineChange[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const numbers = new Map<string, number>();
  const [from, to] = [before, after].map((lines) =>
    Int32Array.from(lines.slice(head, lines.length - tail), (line) => numberOf(line, numbers)),
  );
  if (from === undefined || to === undefined || from.length + to.length === 0) return [];
  const rows = findRows(from, to, maxSteps);
  const changes = rows === undefined ? [wholeChange(from, to)] : joinEdits(readEdits(rows, from, to));
  return changes.map((change) => ({ before: shift(change.before, head), after: shift(change.after, head) }));
}

/** Returns a number for a line. Equal lines have equal numbers, which are faster to compare. */
function numberOf(line: string, numbers: Map<string, number>): number {
  const known = numbers.get(line);
  if (known !== undefined) return known;
  numbers.set(line, numbers.size);
  return numbers.size - 1;
}

/**
 * Finds the furthest points reachable with 0, 1, 2 … edits, until both texts are at their ends (Myers, "An
 * O(ND) Difference Algorithm", 1986). In the row of `d` edits, entry `i` is the number of lines of `from`
 * before the furthest point on the diagonal where this number exceeds that of `to` by `2 * i - d`. Returns
 * `undefined` after too many steps.
 */
function findRows(from: Int32Array, to: Int32Array, maxSteps: number): readonly Int32Array[] | undefined {
  const rows: Int32Array[] = [];
  let steps = 0;
  for (let edits = 0; ; edits++) {
    const previous = rows.at(-1) ?? new Int32Array();
    const row = new Int32Array(edits + 1);
    rows.push(row);
    for (let i = 0; i <= edits; i++) {
      let x = isInsertion(previous, i) ? reach(previous, i) : reach(previous, i - 1) + 1;
      let y = x - (2 * i - edits);
      for (; x < from.length && y < to.length && from[x] === to[y]; steps++) {
        x++;
        y++;
      }
      row[i] = x;
      if (x >= from.length && y >= to.length) return rows;
    }
    steps += edits + 1;
    if (steps > maxSteps) return undefined;
  }
}

/** Whether inserting a line of the second text leads further at entry `i` than deleting a line of the first. */
function isInsertion(previous: Int32Array, i: number): boolean {
  return reach(previous, i - 1) < reach(previous, i);
}

function reach(row: Int32Array, i: number): number {
  return row[i] ?? -1;
}

/** Returns the edits of the path found in the rows, one line each and in order. */
function readEdits(rows: readonly Int32Array[], from: Int32Array, to: Int32Array): readonly LineChange[] {
  const edits: LineChange[] = [];
  let i = (from.length - to.length + rows.length - 1) / 2;
  for (const [d, previous] of [...rows.slice(0, -1).entries()].reverse()) {
    const isInserted = isInsertion(previous, i);
    if (!isInserted) i--;
    const x = reach(previous, i);
    const y = x - (2 * i - d);
    edits.push({
      before: { start: x, end: isInserted ? x : x + 1 },
      after: { start: y, end: isInserted ? y + 1 : y },
    });
  }
  return edits.reverse();
}

/** Joins edits without a common line between them into one change. */
function joinEdits(edits: readonly LineChange[]): readonly LineChange[] {
  const changes: LineChange[] = [];
  for (const { before, after } of edits) {
    const last = changes.at(-1);
    if (last === undefined || last.before.end !== before.start || last.after.end !== after.start)
      changes.push({ before, after });
    else
      changes[changes.length - 1] = {
        before: { start: last.before.start, end: before.end },
        after: { start: last.after.start, end: after.end },
      };
  }
  return changes;
}

function wholeChange(from: Int32Array, to: Int32Array): LineChange {
  return { before: { start: 0, end: from.length }, after: { start: 0, end: to.length } };
}

function shift({ start, end }: LineRange, lines: number): LineRange {
  return { start: start + lines, end: end + lines };
}

/** A text and its name in a diff. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** Lines of context around a change. */
const CONTEXT = 3;

/** Matches a line including its line break, if it has one. */
const LINE = /[^\n]*\n|[^\n]+/g;

/**
 * Returns the changes between two texts in the unified format that `diff -u` prints and `patch` reads. Empty
 * for equal texts.
 */
export function unifiedDifference(before: NamedText, after: NamedText): string {
  const from = splitLines(before.text);
  const to = splitLines(after.text);
  const hunks = groupChanges(diffLines(from, to)).map((changes) => printHunk(changes, from, to));
  return hunks.length === 0 ? '' : `--- ${before.name}\n+++ ${after.name}\n${hunks.join('')}`;
}

function splitLines(text: string): readonly string[] {
  return text.match(LINE) ?? [];
}

/** Groups changes whose contexts touch. */
function groupChanges(changes: readonly LineChange[]): readonly (readonly LineChange[])[] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (last === undefined || change.before.start - last.before.end > 2 * CONTEXT) groups.push([change]);
    else group?.push(change);
  }
  return groups;
}

function printHunk(changes: readonly LineChange[], from: readonly string[], to: readonly string[]): string {
  const before = withContext(
    changes.map((change) => change.before),
    from.length,
  );
  const after = withContext(
    changes.map((change) => change.after),
    to.length,
  );
  let text = `@@ -${printRange(before)} +${printRange(after)} @@\n`;
  let printed = before.start;
  for (const change of changes) {
    text += printLines(' ', from, { start: printed, end: change.before.start });
    text += printLines('-', from, change.before);
    text += printLines('+', to, change.after);
    printed = change.before.end;
  }
  return text + printLines(' ', from, { start: printed, end: before.end });
}

function withContext(ranges: readonly LineRange[], lines: number): LineRange {
  const start = ranges.at(0)?.start ?? 0;
  const end = ranges.at(-1)?.end ?? 0;
  return { start: Math.max(0, start - CONTEXT), end: Math.min(lines, end + CONTEXT) };
}

/** Lines are counted from 1. An empty range is named by the line before it. */
function printRange({ start, end }: LineRange): string {
  return `${end === start ? start : start + 1},${end - start}`;
}

function printLines(mark: ' ' | '-' | '+', lines: readonly string[], { start, end }: LineRange): string {
  return lines
    .slice(start, end)
    .map((line) => (line.endsWith('\n') ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`))
    .join('');
}
