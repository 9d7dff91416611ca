import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { isReadAllowed } from '@hearth/core/rules/evaluate/decide.ts';
import { NO_QUERY } from '@hearth/core/rules/evaluate/scope.ts';
import { NodeTree } from '@hearth/core/rules/evaluate/views.ts';
import { Coverage } from '@hearth/core/rules/explain/coverage.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import type { Answer } from '../../http/response.ts';
import type { LiveCoverage } from '../../rules/recorder/coverage.ts';
import { answerCoverageJson, answerCoveragePage } from './coverage.ts';

/**
 * Returns the coverage of rules after `guests` reads of the root by anonymous clients and `users` reads by a
 * user.
 */
function coverageOf(source: string, guests: number, users: number, sampledOut = 0): LiveCoverage {
  const coverage = new Coverage(parseRules(source));
  for (let i = 0; i < guests + users; i++)
    isReadAllowed(coverage.rules, {
      auth: i < guests ? null : { uid: 'u' },
      now: 5,
      tree: new NodeTree(null),
      path: parsePath('/'),
      query: NO_QUERY,
    });
  return { source, rules: coverage.list(), sampledOut };
}

function textOf({ body }: Answer): string {
  return body?.kind === 'whole' ? body.bytes.toString() : '';
}

const SOURCE = '{"rules": {".read": "auth != null && (now < 3 || auth.uid == \'u\')"}}';

test('[H300][H303] coverage as JSON has the position of each boolean expression and the number of its results', () => {
  const answer = answerCoverageJson('d', coverageOf(SOURCE, 2, 1, 7));
  expect(answer.status).toBe(200);
  const at = { line: 1 };
  expect(JSON.parse(textOf(answer))).toEqual({
    sampledOut: 7,
    notListed: 0,
    rules: [
      {
        kind: 'read',
        location: '/',
        expressions: [
          {
            ...at,
            column: 22,
            text: "auth != null && (now < 3 || auth.uid == 'u')",
            timesTrue: 1,
            timesFalse: 2,
            timesInError: 0,
          },
          { ...at, column: 22, text: 'auth != null', timesTrue: 1, timesFalse: 2, timesInError: 0 },
          {
            ...at,
            column: 39,
            text: "now < 3 || auth.uid == 'u'",
            timesTrue: 1,
            timesFalse: 0,
            timesInError: 0,
          },
          { ...at, column: 39, text: 'now < 3', timesTrue: 0, timesFalse: 1, timesInError: 0 },
          { ...at, column: 50, text: "auth.uid == 'u'", timesTrue: 1, timesFalse: 0, timesInError: 0 },
        ],
      },
    ],
  });
});

test('[H301] the page shows the rules with an element around each expression, and lists the missing results', () => {
  const answer = answerCoveragePage('a<b', coverageOf(SOURCE, 2, 1));
  const page = textOf(answer);
  expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8' });
  expect(page).toContain('<h1>Coverage of the rules of a&#60;b</h1>');
  expect(page).toContain('2 of 5 expressions');
  expect(page).toContain(
    '<span class="both" title="true: 1, false: 2"><span class="both" title="true: 1, false: 2">auth != null</span> &#38;&#38; (<span class="part" title="true: 1, false: 0"><span class="part" title="true: 0, false: 1">now &#60; 3</span> || ',
  );
  expect(page).toContain('<tr><td>1:39</td><td>never true</td><td class="text">now &#60; 3</td></tr>');
  expect(page.match(/<span/g)).toHaveLength(page.match(/<\/span>/g)?.length ?? 0);
});

test('[H303] the page has the number of operations that were not counted', () => {
  expect(textOf(answerCoveragePage('d', coverageOf(SOURCE, 1, 1, 7)))).toContain(
    '7 operations were not counted because of high load.',
  );
});

test('[H301] an expression that was never evaluated is marked', () => {
  expect(textOf(answerCoveragePage('d', coverageOf(SOURCE, 0, 0)))).toContain(
    '<span class="never" title="never evaluated">auth != null</span>',
  );
});

test('[R285] only the first 20,000 expressions are listed, and of a long expression only the start', () => {
  const text = Array(900).fill('now > 1').join(' && ');
  const names = Array.from(
    { length: 12 },
    (_, index) => `"k${index}": {".read": "${text}", ".write": "${text}"}`,
  );
  const answer = answerCoverageJson('d', coverageOf(`{"rules": {${names.join(',\n')}}}`, 0, 0));
  const { notListed, rules } = JSON.parse(textOf(answer));
  const listed = rules.flatMap(({ expressions }: { expressions: readonly unknown[] }) => expressions);
  expect(rules).toHaveLength(24);
  expect(listed).toHaveLength(20_000);
  expect(notListed).toBe(24 * (2 * 900 - 1) - 20_000);
  expect(listed[0]).toMatchObject({ line: 1, text: `${text.slice(0, 200)}…` });
  expect(textOf(answer).length).toBeLessThan(8_000_000);
});
