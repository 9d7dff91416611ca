import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showControls } from '../../../elements/show-controls.ts';
import type { Step } from '../../../server/rules-trace.ts';
import { MONOSPACE } from '../../../theme.ts';
import { stepsOf, tracePieces } from './trace-pieces.ts';
import { TracedPart } from './traced-part.tsx';
import { usePrintValue } from './use-print-value.ts';

interface TraceViewProps {
  readonly label: string;
  readonly step: Step;
  /** What the spans are parts of. */
  readonly source: string;
}

/**
 * A rule with what each part of it came to in its place. The arrow keys go from part to part; what the present one came to
 * is told in full below.
 */
export function TraceView({ label, step, source }: TraceViewProps) {
  const { t } = useTranslation('rules');
  const print = usePrintValue();
  const root = useMemo(() => tracePieces(step, source), [step, source]);
  const steps = useMemo(() => stepsOf(root), [root]);
  const [current, setCurrent] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  const present = steps[Math.min(current, steps.length - 1)] ?? root;
  function go(index: number): void {
    const next = Math.min(Math.max(index, 0), steps.length - 1);
    setCurrent(next);
    place.current?.querySelector<HTMLElement>(`[data-step="${next}"]`)?.focus();
  }
  function onKeyDown(event: KeyboardEvent): void {
    const target = MOVES[event.key]?.(current, steps.length);
    if (target === undefined) return;
    event.preventDefault();
    go(target);
  }
  return (
    <Box>
      <Box
        ref={place}
        role="group"
        aria-label={label}
        dir="ltr"
        onKeyDown={onKeyDown}
        sx={{
          fontFamily: MONOSPACE,
          fontSize: 13,
          lineHeight: 2.1,
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
          textAlign: 'start',
          padding: 1.5,
          borderRadius: 1,
          backgroundColor: 'background.default',
          border: 1,
          borderColor: 'divider',
        }}
      >
        <TracedPart piece={root} steps={steps} present={present} choose={setCurrent} />
      </Box>
      <Typography component="div" variant="body2" aria-live="polite" sx={{ paddingBlockStart: 1 }}>
        <Box component="code" dir="ltr" sx={{ overflowWrap: 'anywhere' }}>
          {showControls(present.text.replace(/\s+/g, ' '))}
        </Box>
        {' → '}
        <Box
          component="bdi"
          dir="ltr"
          sx={{ fontFamily: MONOSPACE, fontWeight: 600, overflowWrap: 'anywhere' }}
        >
          {print(present.step.value, 'whole')}
        </Box>
        <Typography component="span" variant="caption" color="textSecondary" sx={{ marginInlineStart: 1 }}>
          {t('trace.hint')}
        </Typography>
      </Typography>
    </Box>
  );
}

const MOVES: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowRight: (index) => index + 1,
  ArrowDown: (index) => index + 1,
  ArrowLeft: (index) => index - 1,
  ArrowUp: (index) => index - 1,
  Home: () => 0,
  End: (_index, count) => count - 1,
};
