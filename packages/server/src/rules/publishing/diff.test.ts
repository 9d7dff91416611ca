import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unifiedDifference } from './diff.ts';

function diff(before: string, after: string, maxEdits?: number): string {
  return unifiedDifference({ name: 'old', text: before }, { name: 'new', text: after }, maxEdits);
}

const NUMBERS = Array.from({ length: 20 }, (_, i) => `${i + 1}\n`);
const HEAD = '--- old\n+++ new\n';

test.each<readonly [string, string, string, string]>([
  ['equal texts', 'a\nb', 'a\nb', ''],
  ['an empty text and a text', '', 'a\nb\n', `${HEAD}@@ -0,0 +1,2 @@\n+a\n+b\n`],
  ['a text and an empty text', 'a\n', '', `${HEAD}@@ -1,1 +0,0 @@\n-a\n`],
  [
    'a line break at the end',
    'a\nb',
    'a\nb\n',
    `${HEAD}@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n`,
  ],
  ['a carriage return', 'a\r\n', 'a\n', `${HEAD}@@ -1,1 +1,1 @@\n-a\r\n+a\n`],
  [
    'two changes far apart',
    NUMBERS.join(''),
    NUMBERS.with(1, 'two\n').toSpliced(15, 0, 'more\n').join(''),
    `${HEAD}@@ -1,5 +1,5 @@\n 1\n-2\n+two\n 3\n 4\n 5\n@@ -13,6 +13,7 @@\n 13\n 14\n 15\n+more\n 16\n 17\n 18\n`,
  ],
  [
    'two changes that are near each other',
    NUMBERS.slice(0, 9).join(''),
    NUMBERS.slice(0, 9).with(0, 'one\n').with(7, 'eight\n').join(''),
    `${HEAD}@@ -1,9 +1,9 @@\n-1\n+one\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+eight\n 9\n`,
  ],
])('[R150] the unified diff of %s has the format of `diff -u`', (_name, before, after, expected) => {
  expect(diff(before, after)).toBe(expected);
});

/** Applies a diff like `patch`. */
function applyPatch(text: string, patch: string): string {
  const lines = text.match(/[^\n]*\n|[^\n]+/g) ?? [];
  const result: string[] = [];
  let read = 0;
  // Matches each line of a patch, with the remark about a missing line break if there is one.
  for (const [, line = '', remark] of patch.matchAll(/([^\n]*\n)(\\ [^\n]*\n)?/g)) {
    const content = remark === undefined ? line.slice(1) : line.slice(1, -1);
    const hunk = /^@@ -(\d+),(\d+) /.exec(line);
    if (line.startsWith('---') || line.startsWith('+++')) continue;
    if (hunk !== null) {
      const start = Number(hunk[1]) - (hunk[2] === '0' ? 0 : 1);
      result.push(...lines.slice(read, start));
      read = start;
    } else if (line.startsWith('+')) result.push(content);
    else {
      expect(lines[read++]).toBe(content);
      if (line.startsWith(' ')) result.push(content);
    }
  }
  return [...result, ...lines.slice(read)].join('');
}

const lines = fc.array(fc.constantFrom<string>('{', '}', '".read": true', '', '@@', 'x\r'), {
  maxLength: 40,
});

/** Generates two texts. The second may be the first with a few edits. */
const texts = fc
  .tuple(lines, lines, fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 6 }), fc.boolean())
  .map(([before, other, edits, isRelated]) => {
    const after = isRelated ? [...before] : other;
    for (const [position, isAdded] of isRelated ? edits : [])
      if (isAdded) after.splice(position % (after.length + 1), 0, `new ${position % 3}`);
      else after.splice(position % (after.length + 1), 1);
    return [before, after] as const;
  })
  .chain(([before, after]) =>
    fc.tuple(fc.constantFrom('', '\n'), fc.constantFrom('', '\n')).map(([oldEnd, newEnd]) => ({
      before: before.join('\n') + oldEnd,
      after: after.join('\n') + newEnd,
    })),
  );

function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** Returns the length of the longest common subsequence, with the textbook algorithm. */
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

test('[R150] applying the difference to one text yields the other, with the fewest possible lines', () => {
  fc.assert(
    fc.property(texts, ({ before, after }) => {
      const patch = diff(before, after);
      expect(applyPatch(before, patch)).toBe(after);
      const changed = patch.split('\n').filter((line, index) => index >= 2 && /^[+-]/.test(line));
      const from = splitLines(before);
      const to = splitLines(after);
      expect(changed).toHaveLength(from.length + to.length - 2 * commonLength(from, to));
    }),
    { numRuns: 500 },
  );
});

test('[R150] texts that are too different are one change from the first difference to the last', () => {
  fc.assert(
    fc.property(texts, fc.nat({ max: 40 }), ({ before, after }, maxEdits) => {
      expect(applyPatch(before, diff(before, after, maxEdits))).toBe(after);
    }),
    { numRuns: 500 },
  );
  const before = '1\n2\n3\nsame\na\nb\nc\nsame\n';
  const after = '1\n2\n3\nsame\nx\nb\ny\nsame\n';
  expect(diff(before, after, 4)).toBe(`${HEAD}@@ -2,7 +2,7 @@\n 2\n 3\n same\n-a\n+x\n b\n-c\n+y\n same\n`);
  expect(diff(before, after, 3)).toBe(
    `${HEAD}@@ -2,7 +2,7 @@\n 2\n 3\n same\n-a\n-b\n-c\n+x\n+b\n+y\n same\n`,
  );
});

test('[R150] the largest texts without a common line are compared', () => {
  const size = 131_072;
  const text = (prefix: string): string =>
    Array.from({ length: size }, (_, line) => `${prefix}${line}\n`).join('');
  expect(diff(text(''), text('-'))).toMatch(/^--- old\n\+\+\+ new\n@@ -1,131072 \+1,131072 @@\n-0\n/);
});
