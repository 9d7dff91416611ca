import { parseCaseFile } from '@hearth/core/rules/cases/parse-case-file.ts';
import { type CaseOutcome, runCase } from '@hearth/core/rules/cases/run-case.ts';
import { Coverage, type RuleCoverage } from '@hearth/core/rules/coverage.ts';
import { type CoverageSummary, summarizeCoverage } from '@hearth/core/rules/coverage-gaps.ts';
import { LineIndex } from '@hearth/core/rules/line-index.ts';
import type { RuleSet } from '@hearth/core/rules/rule-set.ts';

/** A case and what became of it. */
export interface CaseResult {
  readonly name: string;
  /** Where it begins in the file, in UTF-16 units. */
  readonly offset: number;
  readonly line: number;
  readonly isExpectedAllowed: boolean;
  readonly outcome: CaseOutcome;
}

export type CaseRun =
  | { readonly kind: 'wrong'; readonly problems: readonly CaseProblem[] }
  | {
      readonly kind: 'ran';
      readonly results: readonly CaseResult[];
      readonly coverage: readonly RuleCoverage[];
      readonly summary: CoverageSummary;
    };

export interface CaseProblem {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Runs a file of cases against rules, as `hearth rules test` does. */
export function runCases(rules: RuleSet, text: string, nowMs: number): CaseRun {
  const parsed = parseCaseFile(text);
  const lines = new LineIndex(text);
  if (parsed.kind === 'wrong')
    return {
      kind: 'wrong',
      problems: parsed.problems
        .map(({ offset, message }) => ({ offset, ...lines.positionOf(offset), message }))
        .sort((a, b) => a.offset - b.offset),
    };
  const coverage = new Coverage(rules);
  const results = parsed.cases.map(
    (one): CaseResult => ({
      name: one.name,
      offset: one.offset,
      line: lines.positionOf(one.offset).line,
      isExpectedAllowed: one.isAllowed,
      outcome: runCase(rules, one, nowMs, coverage),
    }),
  );
  const counted = coverage.list();
  return { kind: 'ran', results, coverage: counted, summary: summarizeCoverage(rules.source, counted) };
}
