import { expect, test } from 'vitest';
import { countChangedLines } from './difference-text.tsx';

test.each([
  ['a\nb\n', 'a\nb\n', 0, 0],
  ['a\nb\n', 'a\nx\nb\n', 1, 0],
  ['a\nb\nc\n', 'a\nc\n', 0, 1],
  ['{}', '{\n  "rules": {}\n}\n', 3, 1],
  ['a\nb\n', 'a\nc\n', 1, 1],
])('[C140] from %j to %j %d lines are added and %d removed', (before, after, added, removed) => {
  expect(countChangedLines(before, after)).toEqual({ added, removed });
});
