import { LineIndex } from '@hearth/core/rules/line-index.ts';
import { readRules } from '@hearth/core/rules/parse-rules.ts';
import type { RuleSet } from '@hearth/core/rules/rule-set.ts';

/** Something wrong at a place of the draft. */
export interface DraftProblem {
  /** In UTF-16 units from the start. */
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface CheckedDraft {
  /** `null` if something is wrong. */
  readonly rules: RuleSet | null;
  /** In the order of the document; the first of them, as `problemCount` tells. */
  readonly problems: readonly DraftProblem[];
  readonly problemCount: number;
}

/** Nobody mends more at a time. */
const MAX_SHOWN = 200;

/** Everything that the server would refuse in rules, in its own words. */
export function checkDraft(source: string): CheckedDraft {
  const read = readRules(source);
  if (read.kind === 'rules') return { rules: read.rules, problems: [], problemCount: 0 };
  const lines = new LineIndex(source);
  const problems = read.problems
    .toSorted((a, b) => a.offset - b.offset)
    .slice(0, MAX_SHOWN)
    .map(({ offset, message, hint }) => ({
      offset,
      ...lines.positionOf(offset),
      message: `${message}${hint?.() ?? ''}`,
    }));
  return { rules: null, problems, problemCount: read.problems.length };
}
