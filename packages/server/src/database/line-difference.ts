/** Consecutive lines: from `start` on, up to `end` without it, counted from 0. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Lines of one text that stand in place of lines of another. One of the ranges may be empty, but not both. */
export interface LineChange {
  readonly before: LineRange;
  readonly after: LineRange;
}

/** Steps after which texts count as too different to look for what they share: some 30 ms. */
const MAX_STEPS = 1_000_000;

/**
 * What makes one list of lines another, in order and with at least one common line between any two changes. There are as
 * few lines in it as can be, unless that takes too long to find out: then it is one change from the first difference to
 * the last.
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

/** Equal lines have equal numbers, which are quicker to compare. */
function numberOf(line: string, numbers: Map<string, number>): number {
  const known = numbers.get(line);
  if (known !== undefined) return known;
  numbers.set(line, numbers.size);
  return numbers.size - 1;
}

/**
 * How far one comes with 0, 1, 2 … edits, until that is to the end of both (Myers, "An O(ND) Difference Algorithm", 1986).
 * In the row of `d` edits, the entry `i` is how many lines of `from` are behind the furthest point on the diagonal on which
 * they are `2 * i - d` more than those of `to`. `undefined` after too many steps.
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

/** Does one come further to entry `i` by a line of the second text than by leaving one of the first out? */
function isInsertion(previous: Int32Array, i: number): boolean {
  return reach(previous, i - 1) < reach(previous, i);
}

function reach(row: Int32Array, i: number): number {
  return row[i] ?? -1;
}

/** The edits on the way that the rows have found, one line each and in order. */
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

/** Edits that follow each other without a common line between them, as one change. */
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
