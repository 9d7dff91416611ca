import { expect, test } from 'vitest';
import { isTestSupport, readFiles } from './repository.ts';
import { parseSource } from './source-file.ts';
import { checkDefinedOnce, checkKnown, checkTested, findRules, findTestedRules } from './spec-coverage.ts';

const rules = readFiles((path) => /^docs\/spec\/.*\.md$/.test(path)).flatMap(findRules);
const tested = readFiles(isTestSupport).map(parseSource).flatMap(findTestedRules);

test('[P6] every rule has a number of its own', () => {
  expect(rules.length).toBeGreaterThan(10);
  expect(checkDefinedOnce(rules)).toEqual([]);
});

test('[P7] every rule is tested', () => {
  expect(checkTested(rules, tested)).toEqual([]);
});

test('[P8] every number in a test title is defined', () => {
  expect(checkKnown(rules, tested)).toEqual([]);
});

test('[P6] a number defined twice is found', () => {
  const twice = findRules({
    path: 'a.md',
    text: '# A\n\n- **[A1]** One.\n- **[A2]** Two.\n- **[A1]** Again. See [A9].\n',
  });
  expect(checkDefinedOnce(twice)).toEqual(['a.md:5: [A1] is already defined at a.md:3']);
});

test.each([
  [`test('[A1] x', f)`, ['A1']],
  [`test.each(rows)('[A1][A2] %s', f)`, ['A1', 'A2']],
  [['describe(`[A1] [A2] $', '{name} [A3]`, f)'].join(''), ['A1', 'A2']],
  [`test('[A?] x', f)`, ['A?']],
  [`test('x [A1]', f)`, []],
  [`// test('[A1] x', f)`, []],
])('[P7][P8] %s tests %j', (text, numbers) => {
  expect(findTestedRules(parseSource({ path: 'a.test.ts', text })).map(({ number }) => number)).toEqual(
    numbers,
  );
});

test('[P7][P8] an untested rule and an unknown number are found', () => {
  const defined = [
    { number: 'A1', at: 'a.md:1' },
    { number: 'A2', at: 'a.md:2' },
  ];
  const named = [
    { number: 'A1', at: 'a.test.ts:1' },
    { number: 'A3', at: 'a.test.ts:2' },
  ];
  expect(checkTested(defined, named)).toEqual(['a.md:2: [A2] has no test']);
  expect(checkKnown(defined, named)).toEqual(['a.test.ts:2: [A3] is not defined']);
});
