import { autocompletion } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { completeRules } from '../syntax/complete-rules.ts';
import { RULES_LANGUAGE } from '../syntax/rules-language.ts';
import { coverageGutter } from './coverage-gutter.ts';
import type { LineCoverage } from './line-coverage.ts';
import { problemMarks } from './problem-marks.ts';
import type { CheckedSource } from './use-checked-draft.ts';

const LANGUAGE: Extension = [RULES_LANGUAGE, autocompletion({ override: [completeRules] })];

/** What makes an editor one of rules: their language, their problems and, where there is some, the coverage of test cases. */
export function useRulesExtensions(
  { source, problems }: CheckedSource,
  coverage: readonly LineCoverage[] | null,
): Extension {
  const { t } = useTranslation('rules');
  return useMemo(
    () => [
      LANGUAGE,
      problemMarks(source, problems),
      coverage === null
        ? []
        : coverageGutter(coverage, {
            covered: t('coverage.covered'),
            partly: t('coverage.partly'),
            uncovered: t('coverage.uncovered'),
          }),
    ],
    [source, problems, coverage, t],
  );
}
