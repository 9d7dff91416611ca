import { parseCaseFile } from '@hearth/core/rules/cases/case-file.ts';
import { runCase } from '@hearth/core/rules/cases/run.ts';
import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { isReadAllowed, isWriteAllowed } from '@hearth/core/rules/evaluate/decide.ts';
import { NodeTree } from '@hearth/core/rules/evaluate/views.ts';
import { type RuleCase, ruleCases } from '@hearth/core/rules/model/rule-case.arbitrary.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DecidedOperation } from '../../access/authorization-request.ts';
import { caseRequest } from '../denials/authorization-request.fixture.ts';
import { recordOperation } from './recording.ts';
import { caseExample } from './report.ts';

const CASES = 1_000;

function recordCase(each: RuleCase) {
  const { operation, rules } = caseRequest(each);
  return { rules, operation, recorded: recordOperation(operation) };
}

function isAllowed(rules: string, operation: DecidedOperation): boolean {
  const parsed = parseRules(rules);
  return operation.kind === 'read'
    ? isReadAllowed(parsed, operation.read)
    : isWriteAllowed(parsed, operation.write);
}

test('[R187] an example is a test case that the current rules pass', () => {
  let examples = 0;
  fc.assert(
    fc.property(ruleCases, ruleCases, (each, other) => {
      const { rules, operation, recorded } = recordCase(each);
      if (recorded === undefined) return;
      const example = caseExample(recorded, new NodeTree(each.data), rules, parseRules(other.rules));
      if (example === undefined) return;
      examples++;
      expect(example['expect']).toBe(isAllowed(each.rules, operation) ? 'allow' : 'deny');
      const source = JSON.stringify({ cases: [example] }, null, 2);
      const parsed = parseCaseFile(source);
      if (parsed.kind !== 'cases') throw new Error(`${source} ${JSON.stringify(parsed.problems)}`);
      for (const ruleCase of parsed.cases)
        expect(runCase(rules, ruleCase, 0, null), source).toMatchObject({ isExpected: true });
    }),
    { numRuns: CASES },
  );
  expect(examples).toBeGreaterThan(CASES * 0.9);
});
