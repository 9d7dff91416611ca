import { type Diagnostic, linter } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { readRules } from '@hearth/core/rules/compile/rules.ts';
import type { RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import { LineIndex } from '@hearth/core/rules/syntax/problems.ts';
import ErrorIcon from '@mui/icons-material/ErrorOutlined';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showControls } from '../../../ui/text.tsx';

/** A problem of the draft, with its position. */
export interface DraftProblem {
  /** Offset from the start, in UTF-16 code units. */
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface CheckedDraft {
  /** `null` if there are problems. */
  readonly rules: RuleSet | null;
  /** The first `MAX_SHOWN` problems in document order. `problemCount` is the number of all. */
  readonly problems: readonly DraftProblem[];
  readonly problemCount: number;
}

/** Maximum number of listed problems. */
const MAX_SHOWN = 200;

/** Checks rules as the server does. Returns the parsed rules, or the problems with the server's messages. */
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

interface ProblemListProps {
  readonly checked: CheckedDraft;
  /** Moves the cursor to a problem. */
  readonly go: (offset: number) => void;
}

/** Lists the problems of a draft or of a case file, each as a button that goes to its position. */
export function ProblemList({ checked: { problems, problemCount }, go }: ProblemListProps) {
  const { t } = useTranslation('rules');
  if (problemCount === 0) return null;
  return (
    <Box
      component="section"
      aria-label={t('problems.title')}
      sx={{
        borderBlockStart: 1,
        borderColor: 'divider',
        maxHeight: '32%',
        minHeight: 72,
        overflowY: 'auto',
        flexShrink: 0,
      }}
    >
      <Typography
        role="status"
        variant="body2"
        color="error"
        sx={{ fontWeight: 600, padding: 1, display: 'flex', gap: 1 }}
      >
        <ErrorIcon fontSize="small" />
        {t('problems.count', { count: problemCount })}
      </Typography>
      <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {problems.map(({ offset, line, column, message }) => (
          <li key={`${offset} ${message}`}>
            <ButtonBase
              onClick={() => go(offset)}
              sx={{
                width: '100%',
                justifyContent: 'flex-start',
                textAlign: 'start',
                gap: 1.5,
                paddingInline: 1,
                paddingBlock: 0.5,
                '&:hover': { backgroundColor: 'action.hover' },
              }}
            >
              <Typography
                component="bdi"
                dir="ltr"
                variant="body2"
                color="textSecondary"
                sx={{ fontVariantNumeric: 'tabular-nums', minWidth: 56 }}
              >
                {line}:{column}
              </Typography>
              <Typography component="bdi" dir="ltr" variant="body2" sx={{ overflowWrap: 'anywhere' }}>
                {showControls(message)}
              </Typography>
            </ButtonBase>
          </li>
        ))}
      </Box>
      {problemCount > problems.length && (
        <Typography variant="body2" color="textSecondary" sx={{ padding: 1 }}>
          {t('problems.more', { count: problemCount - problems.length })}
        </Typography>
      )}
    </Box>
  );
}

const WORD = /^[\w$.]+|^./su;

/**
 * Returns an extension that marks the problems of `source` in an editor. While the text of the editor differs from
 * `source`, the extension marks nothing.
 */
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

/** Delay in ms after typing before rules are checked. */
const PAUSE_MS = 250;

export interface CheckedSource extends CheckedDraft {
  readonly source: string;
}

/** Checks a draft after the user pauses typing. `source` of the result is the text that was checked. */
export function useCheckedDraft(source: string): CheckedSource {
  const [checked, setChecked] = useState(() => ({ source, ...checkDraft(source) }));
  useEffect(() => {
    if (checked.source === source) return undefined;
    const timer = setTimeout(() => setChecked({ source, ...checkDraft(source) }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [source, checked.source]);
  return checked;
}
