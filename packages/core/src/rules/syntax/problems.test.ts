import { expect, test } from 'vitest';
import { formatProblems } from './problems.ts';

test('[R3] problems are listed in the order of the document, with lines and columns from 1', () => {
  const source = 'ab\n\ncd\n';
  const problems = [4, 0, 7, 2, 3].map((offset) => ({ offset, message: `at ${offset}` }));
  expect(formatProblems(source, problems)).toBe('1:1: at 0\n1:3: at 2\n2:1: at 3\n3:1: at 4\n4:1: at 7\n');
});

test('[R24] of more than a hundred problems the first hundred are listed, with the number of the others', () => {
  const problems = Array.from({ length: 150 }, (_, index) => ({ offset: 149 - index, message: 'wrong' }));
  const lines = formatProblems('x'.repeat(150), problems).split('\n');
  expect(lines).toHaveLength(102);
  expect(lines.slice(98)).toEqual(['1:99: wrong', '1:100: wrong', 'and 50 more problems', '']);
});

test('[R69][R24] a hint is computed only if its problem is listed', () => {
  let computed = 0;
  const hint = (): string => ` Hint ${++computed}.`;
  const problems = Array.from({ length: 150 }, (_, offset) => ({ offset, message: 'Wrong.', hint }));
  expect(formatProblems('x'.repeat(150), problems)).toContain('1:100: Wrong. Hint 100.\nand 50 more');
  expect(computed).toBe(100);
});

test('[R3] a problem is one line, whatever names it quotes', () => {
  expect(formatProblems('', [{ offset: 0, message: "Unknown variable '$a\n\u0007b'." }])).toBe(
    "1:1: Unknown variable '$a  b'.\n",
  );
});
