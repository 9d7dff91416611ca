import { type Diagnostic, linter } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import type { DraftProblem } from './check-draft.ts';

const WORD = /^[\w$.]+|^./su;

/** Marks problems of a text in its editor. They are those of `source`: a text that has gone on is not marked with them. */
export function problemMarks(source: string, problems: readonly DraftProblem[]): Extension {
  return linter(
    ({ state }) => {
      if (state.doc.toString() !== source) return [];
      return problems.map(({ offset, message }): Diagnostic => {
        const from = Math.min(offset, source.length);
        const length = WORD.exec(source.slice(from, from + 100))?.[0].length ?? 0;
        return { from, to: from + length, severity: 'error', message };
      });
    },
    { delay: 0 },
  );
}
