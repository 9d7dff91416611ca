import { expect, test } from 'vitest';
import { formatProblems } from './problem.ts';

test('[R3] problems are listed in the order of the document, with lines and columns from 1', () => {
  const source = 'ab\n\ncd\n';
  const problems = [4, 0, 7, 2, 3].map((offset) => ({ offset, message: `at ${offset}` }));
  expect(formatProblems(source, problems)).toBe('1:1: at 0\n1:3: at 2\n2:1: at 3\n3:1: at 4\n4:1: at 7\n');
});
