import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines, type LineChange } from './diff.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });

/** A text and a few edits of it. */
const related = fc
  .tuple(
    fc.array(fc.nat({ max: 20 }), { maxLength: 60 }),
    fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 6 }),
  )
  .map(([numbers, edits]) => {
    const before = numbers.map(String);
    const after = [...before];
    for (const [evaluatedPath, isAdded] of edits)
      if (isAdded) after.splice(evaluatedPath % (after.length + 1), 0, `new ${evaluatedPath % 3}`);
      else after.splice(evaluatedPath % (after.length + 1), 1);
    return [before, after] as const;
  });

function applyChanges(
  before: readonly string[],
  after: readonly string[],
  changes: readonly LineChange[],
): readonly string[] {
  const result: string[] = [];
  let copied = 0;
  for (const change of changes) {
    result.push(...before.slice(copied, change.before.start));
    expect(result).toHaveLength(change.after.start);
    result.push(...after.slice(change.after.start, change.after.end));
    copied = change.before.end;
  }
  return [...result, ...before.slice(copied)];
}

/** Length of the longest common subsequence, by the book. */
function commonLength(before: readonly string[], after: readonly string[]): number {
  let row = new Array<number>(after.length + 1).fill(0);
  for (const line of before) {
    const next = [0];
    for (const [j, other] of after.entries())
      next.push(line === other ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

function countLines(changes: readonly LineChange[]): number {
  return changes.reduce(
    (sum, { before, after }) => sum + (before.end - before.start) + (after.end - after.start),
    0,
  );
}

test('[R150] changes make one text the other, with as few lines as can be', () => {
  fc.assert(
    fc.property(fc.oneof(fc.tuple(lines, lines), related), ([before, after]) => {
      const changes = diffLines(before, after);
      expect(applyChanges(before, after, changes)).toEqual(after);
      expect(countLines(changes)).toBe(before.length + after.length - 2 * commonLength(before, after));
      for (const [evaluatedPath, { before: range }] of changes.entries())
        expect(range.start).toBeGreaterThan(changes[evaluatedPath - 1]?.before.end ?? -1);
    }),
    { numRuns: 500 },
  );
});

test('[R150] texts that are too different are one change from the first difference to the last', () => {
  fc.assert(
    fc.property(lines, lines, fc.nat({ max: 40 }), (before, after, maxSteps) => {
      const changes = diffLines(before, after, maxSteps);
      expect(applyChanges(before, after, changes)).toEqual(after);
    }),
  );
  const before = ['same', 'a', 'b', 'c', 'same'];
  const after = ['same', 'x', 'b', 'y', 'same'];
  expect(diffLines(before, after)).toHaveLength(2);
  expect(diffLines(before, after, 3)).toEqual([
    { before: { start: 1, end: 4 }, after: { start: 1, end: 4 } },
  ]);
});

test('[R150] the largest texts without a common line are compared', () => {
  const size = 131_072;
  const before = Array.from({ length: size }, (_, line) => `${line}\n`);
  const after = Array.from({ length: size }, (_, line) => `-${line}\n`);
  expect(diffLines(before, after)).toEqual([
    { before: { start: 0, end: size }, after: { start: 0, end: size } },
  ]);
});
