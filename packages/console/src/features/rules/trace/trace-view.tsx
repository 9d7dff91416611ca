import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import Box from '@mui/material/Box';
import { type Theme, useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Step, StepValue } from '../../../api/rules.ts';
import { Arrow, showControls } from '../../../ui/text.tsx';
import { meaningColor } from '../../../ui/theme.ts';
import { usePrintValue } from './print-value.ts';
import { type StepPiece, stepsOf, tracePieces } from './trace-pieces.ts';

/** Returns the color of a value: green for true, red for false and errors, gray for other values. */
function valueColor(theme: Theme, value: StepValue): string {
  if (value.kind === 'error') return meaningColor(theme, 'deny');
  if (value.kind !== 'scalar' || typeof value.value !== 'boolean') return theme.palette.text.secondary;
  return meaningColor(theme, value.value ? 'allow' : 'deny');
}

/** Length in characters of a value that may be longer than a line on a phone. */
const LONG_CHIP = 28;

const CUT_TO_LINE = {
  display: 'inline-block',
  maxWidth: '100%',
  boxSizing: 'border-box',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  lineHeight: 1.3,
  verticalAlign: 'middle',
} as const;

interface TracedPartProps {
  readonly piece: StepPiece;
  readonly steps: readonly StepPiece[];
  readonly focused: StepPiece;
  readonly choose: (index: number) => void;
}

/** Shows a part of a rule with its value. Inner parts are nested in their positions. */
function TracedPart({ piece, steps, focused, choose }: TracedPartProps) {
  const { t } = useTranslation('rules');
  const theme = useTheme();
  const print = usePrintValue();
  const { value } = piece.step;
  const index = steps.indexOf(piece);
  const color = valueColor(theme, value);
  const isFocused = piece === focused;
  const isBoolean = value.kind === 'scalar' && typeof value.value === 'boolean';
  const isChain = piece.pieces.some((part) => part.kind === 'text' && CHAIN.test(part.text));
  const isChipped = piece.isLeaf || (value.kind !== 'error' && !isChain);
  const chipText = !isBoolean
    ? print(value, 'short')
    : value.value === true
      ? `✓ ${t('trace.true')}`
      : `✗ ${t('trace.false')}`;
  return (
    <Box
      component="span"
      role="group"
      aria-label={t('trace.part', {
        text: piece.text.replace(/\s+/g, ' ').slice(0, 200),
        value: print(value, 'short'),
      })}
      tabIndex={isFocused ? 0 : -1}
      data-step={index}
      onFocus={(event) => {
        event.stopPropagation();
        choose(index);
      }}
      onClick={(event) => {
        event.stopPropagation();
        choose(index);
      }}
      sx={{
        cursor: 'default',
        borderBlockEnd: `2px ${isBoolean || value.kind === 'error' ? 'solid' : 'dotted'} ${color}`,
        borderRadius: 0.5,
        '&:focus-visible': { outline: `2px solid ${theme.palette.primary.main}`, outlineOffset: 1 },
      }}
    >
      {piece.pieces.map((part) =>
        part.kind === 'text' ? (
          <ChainText key={part.start} text={part.text} color={isBoolean ? color : undefined} />
        ) : (
          <TracedPart
            key={part.step.span.start}
            piece={part}
            steps={steps}
            focused={focused}
            choose={choose}
          />
        ),
      )}
      {isChipped && (
        <>
          <Box
            component="bdi"
            aria-hidden
            sx={{
              color,
              border: 1,
              borderColor: color,
              borderRadius: 1,
              backgroundColor: 'background.paper',
              paddingInline: 0.5,
              marginInline: 0.5,
              fontSize: '0.85em',
              whiteSpace: 'nowrap',
              ...(chipText.length > LONG_CHIP ? CUT_TO_LINE : {}),
            }}
          >
            {chipText}
          </Box>
          {/* Chained calls have no spaces where a line could break. */}
          <wbr />
        </>
      )}
    </Box>
  );
}

/** Operators of chains such as `a && b || c`. */
const CHAIN = /&&|\|\|/;

interface ChainTextProps {
  readonly text: string;
  /** Color of the value of the whole chain. */
  readonly color: string | undefined;
}

/**
 * Shows text between parts. The operator of a chain has the color of the chain's value. A value after the chain would seem to
 * belong to the last part.
 */
function ChainText({ text, color }: ChainTextProps) {
  const [operator] = CHAIN.exec(text) ?? [];
  if (operator === undefined || color === undefined) return <span>{showControlsButLines(text)}</span>;
  const [before = '', after = ''] = text.split(operator, 2);
  return (
    <span>
      {showControlsButLines(before)}
      <Box component="strong" sx={{ color, paddingInline: 0.5 }}>
        {operator}
      </Box>
      {showControlsButLines(after)}
    </span>
  );
}

/** Shows control characters except line breaks, which are part of the layout of a rule. */
function showControlsButLines(text: string): string {
  return text.split('\n').map(showControls).join('\n');
}

interface TraceViewProps {
  readonly label: string;
  readonly step: Step;
  /** The text that the spans refer to. */
  readonly source: string;
}

/**
 * Shows a rule with the value of each part in its position. Arrow keys move from part to part. The complete value of the
 * focused part is shown below.
 */
export function TraceView({ label, step, source }: TraceViewProps) {
  const { t } = useTranslation('rules');
  const print = usePrintValue();
  const root = useMemo(() => tracePieces(step, source), [step, source]);
  const steps = useMemo(() => stepsOf(root), [root]);
  const [current, setCurrent] = useState(0);
  const container = useRef<HTMLDivElement>(null);
  const focused = steps[Math.min(current, steps.length - 1)] ?? root;
  function go(index: number): void {
    const next = Math.min(Math.max(index, 0), steps.length - 1);
    setCurrent(next);
    container.current?.querySelector<HTMLElement>(`[data-step="${next}"]`)?.focus();
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
        ref={container}
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
        <TracedPart piece={root} steps={steps} focused={focused} choose={setCurrent} />
      </Box>
      <Typography component="div" variant="body2" aria-live="polite" sx={{ paddingBlockStart: 1 }}>
        <Box component="code" dir="ltr" sx={{ overflowWrap: 'anywhere' }}>
          {showControls(focused.text.replace(/\s+/g, ' '))}
        </Box>
        <Arrow />
        <Box
          component="bdi"
          dir="ltr"
          sx={{ fontFamily: MONOSPACE, fontWeight: 600, overflowWrap: 'anywhere' }}
        >
          {print(focused.step.value, 'whole')}
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
