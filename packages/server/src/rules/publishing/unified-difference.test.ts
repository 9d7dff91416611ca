import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unifiedDifference } from './diff.ts';

function diff(before: string, after: string): string {
  return unifiedDifference({ name: 'old', text: before }, { name: 'new', text: after });
}

const NUMBERS = Array.from({ length: 20 }, (_, i) => `${i + 1}\n`);
const HEAD = '--- old\n+++ new\n';

test.each<readonly [string, string, string, string]>([
  ['equal texts', 'a\nb', 'a\nb', ''],
  ['nothing and something', '', 'a\nb\n', `${HEAD}@@ -0,0 +1,2 @@\n+a\n+b\n`],
  ['something and nothing', 'a\n', '', `${HEAD}@@ -1,1 +0,0 @@\n-a\n`],
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
])('[R150] the difference of %s', (_name, before, after, expected) => {
  expect(diff(before, after)).toBe(expected);
});

/** What `patch` does. */
function applyPatch(text: string, patch: string): string {
  const lines = text.match(/[^\n]*\n|[^\n]+/g) ?? [];
  const result: string[] = [];
  let read = 0;
  // Each line of a patch, with the remark about a missing line break where there is one.
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

test('[R150] the difference leads from one text to the other', () => {
  const text = fc
    .array(fc.constantFrom('{', '}', '".read": true', '', '@@', 'x\r'), { maxLength: 40 })
    .chain((lines) => fc.constantFrom('', '\n').map((end) => lines.join('\n') + end));
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(applyPatch(before, diff(before, after))).toBe(after);
    }),
    { numRuns: 500 },
  );
});
