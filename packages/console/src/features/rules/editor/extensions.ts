import { autocompletion } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { type RefObject, useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { goToOffset } from '../code/code-editor.tsx';
import { completeRules } from '../code/completion.ts';
import { coverageGutter, type LineCoverage } from '../code/coverage.ts';
import { RULES_LANGUAGE } from '../code/highlighting.ts';
import { type CheckedSource, problemMarks } from '../code/problems.tsx';

const LANGUAGE: Extension = [RULES_LANGUAGE, autocompletion({ override: [completeRules] })];

/** Returns the editor extensions for rules: the language, the problems and, if given, the coverage of test cases. */
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

/** Moves the cursor to a line once the editor is mounted. Lines are numbered from 1; 0 means no line. */
export function useGoToLine(view: RefObject<EditorView | null>, line: number): void {
  useEffect(() => {
    if (line === 0) return undefined;
    // The editor is created in an effect, and `view` is set only when the editor renders again.
    const frame = requestAnimationFrame(() => {
      const doc = view.current?.state.doc;
      if (doc !== undefined && line >= 1 && line <= doc.lines) goToOffset(view.current, doc.line(line).from);
    });
    return () => cancelAnimationFrame(frame);
  }, [view, line]);
}
