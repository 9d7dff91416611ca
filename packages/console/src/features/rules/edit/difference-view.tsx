import { unifiedMergeView } from '@codemirror/merge';
import type { Extension } from '@codemirror/state';
import { useMemo } from 'react';
import { RULES_LANGUAGE } from '../syntax/rules-language.ts';
import { CodeEditor } from './code-editor.tsx';

interface DifferenceViewProps {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** Rules with what became of others marked in them, without what is the same. */
export function DifferenceView({ label, before, after }: DifferenceViewProps) {
  const extensions = useMemo(
    (): Extension => [
      RULES_LANGUAGE,
      unifiedMergeView({
        original: before,
        mergeControls: false,
        syntaxHighlightDeletions: false,
        collapseUnchanged: { margin: 3, minSize: 6 },
      }),
    ],
    [before],
  );
  return <CodeEditor label={label} text={after} extensions={extensions} />;
}
