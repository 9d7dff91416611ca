import { expect, test } from 'vitest';
import { checkDraft } from './problems.tsx';

test('[C133] problems are in document order with line and column', () => {
  const { rules, problems, problemCount } = checkDraft('{"rules": {".read": "nope",\n".write": 5}}');
  expect(rules).toBeNull();
  expect(problemCount).toBe(2);
  expect(problems.map(({ line, column }) => [line, column])).toEqual([
    [1, 22],
    [2, 11],
  ]);
});

test('[C152] problems beyond the first 200 are counted', () => {
  const wrong = Array.from({ length: 1_000 }, (_one, index) => `"r${index}": {".read": 1}`).join(',');
  const { problems, problemCount } = checkDraft(`{"rules": {${wrong}}}`);
  expect(problems).toHaveLength(200);
  expect(problemCount).toBe(1_000);
});

test('[C152] for rules that are too long, the check reports one problem immediately', () => {
  expect(checkDraft(`{"rules": {}}${' '.repeat(1_048_576)}`).problems).toMatchObject([
    { line: 1, column: 1, message: 'The rules are longer than 256 KB.' },
  ]);
});
