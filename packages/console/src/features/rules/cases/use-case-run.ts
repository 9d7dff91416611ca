import type { RuleSet } from '@hearth/core/rules/rule-set.ts';
import { useDeferredValue, useMemo } from 'react';
import { type CaseRun, runCases } from './run-cases.ts';

/** What rules make of a file of cases, a moment after it was typed; `text` is the file that it is about. */
export function useCaseRun(
  rules: RuleSet | null,
  file: string,
): { readonly run: CaseRun | null; readonly text: string } {
  const text = useDeferredValue(file);
  const run = useMemo(() => (rules === null ? null : runCases(rules, text, Date.now())), [rules, text]);
  return { run, text };
}
