import { parseCaseFile } from '@hearth/core/rules/cases/case-file.ts';
import { type CaseOutcome, runCase } from '@hearth/core/rules/cases/run.ts';
import type { RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import {
  Coverage,
  type CoverageSummary,
  type RuleCoverage,
  summarizeCoverage,
} from '@hearth/core/rules/explain/coverage.ts';
import { LineIndex } from '@hearth/core/rules/syntax/problems.ts';
import { useDeferredValue, useMemo } from 'react';
import { type LineCoverage, lineCoverage } from '../code/coverage.ts';
import { useCaseFile } from './case-file.ts';

/** A case and its outcome. */
export interface CaseResult {
  readonly name: string;
  /** Offset in the file, in UTF-16 code units. */
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

/** Runs a case file against rules, like `hearth rules test`. */
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

/**
 * Runs a case file with low priority while the user types. `run` is `null` without rules. `text` is the file that was run;
 * it may be older than `file`.
 */
export function useCaseRun(
  rules: RuleSet | null,
  file: string,
): { readonly run: CaseRun | null; readonly text: string } {
  const text = useDeferredValue(file);
  const run = useMemo(() => (rules === null ? null : runCases(rules, text, Date.now())), [rules, text]);
  return { run, text };
}

/** Returns the coverage of rules by the test cases of a database; `null` if there are no valid rules or no valid cases. */
export function useCaseCoverage(database: string, rules: RuleSet | null): readonly LineCoverage[] | null {
  const { text } = useCaseFile(database);
  return useMemo(() => {
    if (rules === null) return null;
    const run = runCases(rules, text, Date.now());
    return run.kind === 'ran' ? lineCoverage(rules.source, run.coverage) : null;
  }, [rules, text]);
}
