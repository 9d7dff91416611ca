import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePath } from '../../tree/path.ts';
import { compileExpression } from '../compile/compiler.ts';
import { NO_QUERY, type Scope } from '../evaluate/scope.ts';
import { Fault } from '../evaluate/values.ts';
import { NodeTree } from '../evaluate/views.ts';
import { ruleTexts } from '../model/rule-text.arbitrary.ts';
import { type Expression, subExpressions } from '../syntax/expression.ts';
import { parseExpression } from '../syntax/parser.ts';
import { checkRule } from './rule.ts';

const LOCATION = ['a', '$x'];
const TREE = new NodeTree({ kind: 'leaf', value: 'a', priority: 1 });
const SCOPE: Scope = {
  auth: { uid: 'u1', token: { n: 1, admin: true } },
  now: 1,
  before: TREE,
  after: TREE,
  query: NO_QUERY,
  path: parsePath('a/b'),
};

const parse = (text: string) => parseExpression(text, (index) => index);
const problemsOf = (expression: Expression) => checkRule('write', expression, ['$x']);
const RULE_TEXT = ruleTexts({ kind: 'write', wildcards: ['$x'] });

/** Matches messages of the compiler for expressions that the checker should have rejected. */
const MALFORMED = /^Unexpected|^A regular expression|^Type error|^Unknown variable|expects/;

function allParts(expression: Expression): readonly Expression[] {
  return [expression, ...subExpressions(expression).flatMap(allParts)];
}

/** Generates rules in which one sub-expression is replaced by a sub-expression of another rule. */
const GRAFTED = fc.tuple(RULE_TEXT, RULE_TEXT, fc.nat(), fc.nat()).map(([text, donor, index, part]) => {
  const targets = allParts(parse(text));
  const parts = allParts(parse(donor));
  const { start, end } = targets[index % targets.length]?.span ?? { start: 0, end: 0 };
  const { span } = parts[part % parts.length] ?? { span: { start: 0, end: 0 } };
  return `${text.slice(0, start)}(${donor.slice(span.start, span.end)})${text.slice(end)}`;
});

test('[R74] a rule with correct types is accepted', () => {
  fc.assert(
    fc.property(RULE_TEXT, (text) => {
      expect(problemsOf(parse(text))).toEqual([]);
    }),
  );
});

test('[R74] an accepted rule evaluates to a boolean, or to a fault that the data causes', () => {
  let accepted = 0;
  fc.assert(
    fc.property(GRAFTED, (text) => {
      const expression = parse(text);
      if (problemsOf(expression).length > 0) return;
      accepted++;
      const value = compileExpression(expression, LOCATION)(SCOPE);
      if (value instanceof Fault) expect(value.message).not.toMatch(MALFORMED);
      else expect(value).toBeTypeOf('boolean');
    }),
    { numRuns: 1_000 },
  );
  expect(accepted).toBeGreaterThan(100);
});
