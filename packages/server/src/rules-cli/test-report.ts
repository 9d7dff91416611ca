import type { RuleCase } from '@hearth/core/rules/cases/rule-case.ts';
import { type CaseOutcome, runCase } from '@hearth/core/rules/cases/run-case.ts';
import { Coverage } from '@hearth/core/rules/coverage.ts';
import { type CoverageSummary, summarizeCoverage } from '@hearth/core/rules/coverage-gaps.ts';
import type { RuleSet } from '@hearth/core/rules/rule-set.ts';

export interface CaseReport {
  readonly ruleCase: RuleCase;
  readonly outcome: CaseOutcome;
}

export interface TestReport {
  readonly cases: readonly CaseReport[];
  readonly failed: number;
  /** `null` if it was not asked for. */
  readonly coverage: CoverageSummary | null;
}

/** Runs all cases. `nowMs` is the time for those that name none. */
export function testRules(
  rules: RuleSet,
  cases: readonly RuleCase[],
  nowMs: number,
  isCovered: boolean,
): TestReport {
  const coverage = isCovered ? new Coverage(rules) : null;
  const reports = cases.map((ruleCase) => ({ ruleCase, outcome: runCase(rules, ruleCase, nowMs, coverage) }));
  return {
    cases: reports,
    failed: reports.filter(({ outcome }) => !outcome.isExpected).length,
    coverage: coverage && summarizeCoverage(rules.source, coverage.list()),
  };
}
