import { createTwoFilesPatch, FILE_HEADERS_ONLY, formatPatch } from 'diff/lib/patch/create.js';

/** A text and its name in a diff. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** Lines of context around a change. */
const CONTEXT = 3;

/** Number of added and removed lines after which the search for common lines ends, after about 20 ms. */
const MAX_EDITS = 500;

/** Matches a line including its line break, if it has one. */
const LINE = /[^\n]*\n|[^\n]+/g;

/**
 * Returns the changes between two texts in the unified format that `diff -u` prints and `patch` reads. Empty
 * for equal texts. The changes have the fewest possible lines, unless that is more than `maxEdits`: then the
 * result is one change from the first difference to the last.
 */
export function unifiedDifference(before: NamedText, after: NamedText, maxEdits = MAX_EDITS): string {
  if (before.text === after.text) return '';
  const patch = createTwoFilesPatch(before.name, after.name, before.text, after.text, undefined, undefined, {
    context: CONTEXT,
    headerOptions: FILE_HEADERS_ONLY,
    maxEditLength: maxEdits,
  });
  return patch ?? wholeChange(before, after);
}

/** Returns one change from the first difference to the last. */
function wholeChange(before: NamedText, after: NamedText): string {
  const from = splitLines(before.text);
  const to = splitLines(after.text);
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && from[head] === to[head]) head++;
  let tail = 0;
  while (tail < shorter - head && from.at(-1 - tail) === to.at(-1 - tail)) tail++;
  const start = Math.max(0, head - CONTEXT);
  const end = Math.min(tail, CONTEXT) - tail;
  const hunk = {
    oldStart: start + 1,
    oldLines: from.length + end - start,
    newStart: start + 1,
    newLines: to.length + end - start,
    lines: [
      ...markLines(' ', from.slice(start, head)),
      ...markLines('-', from.slice(head, from.length - tail)),
      ...markLines('+', to.slice(head, to.length - tail)),
      ...markLines(' ', from.slice(from.length - tail, from.length + end)),
    ],
  };
  const names = { oldFileName: before.name, newFileName: after.name };
  return formatPatch(
    { ...names, oldHeader: undefined, newHeader: undefined, hunks: [hunk] },
    FILE_HEADERS_ONLY,
  );
}

function splitLines(text: string): readonly string[] {
  return text.match(LINE) ?? [];
}

function markLines(mark: ' ' | '-' | '+', lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) =>
    line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, '\\ No newline at end of file'],
  );
}
