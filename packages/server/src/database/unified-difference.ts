import { diffLines, type LineChange, type LineRange } from './line-difference.ts';

/** A text, and what it is called where it is compared. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** Lines shown around a change. */
const CONTEXT = 3;

/** A text with its last line break, if it has one, on each line. */
const LINE = /[^\n]*\n|[^\n]+/g;

/** What makes one text another, in the unified format that `diff -u` prints and `patch` reads; empty for equal texts. */
export function unifiedDifference(before: NamedText, after: NamedText): string {
  const from = splitLines(before.text);
  const to = splitLines(after.text);
  const hunks = groupChanges(diffLines(from, to)).map((changes) => printHunk(changes, from, to));
  return hunks.length === 0 ? '' : `--- ${before.name}\n+++ ${after.name}\n${hunks.join('')}`;
}

function splitLines(text: string): readonly string[] {
  return text.match(LINE) ?? [];
}

/** Changes whose contexts touch are shown together. */
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

/** Lines count from 1; an empty range is named by the line before it. */
function printRange({ start, end }: LineRange): string {
  return `${end === start ? start : start + 1},${end - start}`;
}

function printLines(mark: ' ' | '-' | '+', lines: readonly string[], { start, end }: LineRange): string {
  return lines
    .slice(start, end)
    .map((line) => (line.endsWith('\n') ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`))
    .join('');
}
