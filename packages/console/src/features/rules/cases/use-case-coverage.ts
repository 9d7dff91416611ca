import type { RuleSet } from '@hearth/core/rules/rule-set.ts';
import { useMemo } from 'react';
import { type LineCoverage, lineCoverage } from '../edit/line-coverage.ts';
import { runCases } from './run-cases.ts';
import { useCaseFile } from './use-case-file.ts';

/** What the test cases of a database make of each line of rules; `null` where there are none to run, or nothing to run them on. */
export function useCaseCoverage(database: string, rules: RuleSet | null): readonly LineCoverage[] | null {
  const { text } = useCaseFile(database);
  return useMemo(() => {
    if (rules === null) return null;
    const run = runCases(rules, text, Date.now());
    return run.kind === 'ran' ? lineCoverage(rules.source, run.coverage) : null;
  }, [rules, text]);
}
