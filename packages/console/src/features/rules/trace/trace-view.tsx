import Box from '@mui/material/Box';
import { type Theme, useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Step, StepValue } from '../../../api/rules.ts';
import { showControls } from '../../../ui/text.tsx';
import { MONOSPACE, meaningColor } from '../../../ui/theme.ts';
import { type StepPiece, stepsOf, tracePieces } from './trace-pieces.ts';

/** Longest value in the place of its expression, in characters. */
const MAX_SHORT = 40;

/** What a value is in words and signs: whole, or short enough to stand within a rule. */
function usePrintValue(): (value: StepValue, form: 'whole' | 'short') => string {
  const { t, i18n } = useTranslation('rules');
  return useCallback(
    (value, form) => {
      const whole = printValue(value);
      return form === 'short' && whole.length > MAX_SHORT ? `${whole.slice(0, MAX_SHORT - 1)}…` : whole;
      function printValue(given: StepValue): string {
        switch (given.kind) {
          case 'scalar':
            return showControls(JSON.stringify(given.value));
          case 'not-finite':
            return given.text;
          case 'object':
            return t('value.object');
          case 'json':
            return showControls(JSON.stringify(given.value));
          case 'snapshot':
            return t(`value.${given.tree}`, {
              path: given.path === null ? '?' : isolated(showControls(given.path)),
            });
          case 'error':
            return t('value.error', { message: given.message });
          case 'cut':
            return t('value.cut', {
              start: showControls(given.start.slice(0, 200)),
              count: given.length,
              number: new Intl.NumberFormat(i18n.language).format(given.length),
            });
          case 'redacted':
            return given.of === 'string' && given.length !== undefined
              ? t('value.hiddenText', { count: given.length })
              : t(
                  given.of === 'number'
                    ? 'value.hiddenNumber'
                    : given.of === 'snapshot'
                      ? 'value.hiddenPlace'
                      : 'value.hiddenString',
                );
          default:
            return given satisfies never;
        }
      }
    },
    [t, i18n.language],
  );
}

/** Kept from left to right within a sentence of whatever direction. */
function isolated(text: string): string {
  return `\u2066${text}\u2069`;
}

/** The colour of what an expression came to: green for true, red for false and errors, grey for other values. */
function valueColor(theme: Theme, value: StepValue): string {
  if (value.kind === 'error') return meaningColor(theme, 'deny');
  if (value.kind !== 'scalar' || typeof value.value !== 'boolean') return theme.palette.text.secondary;
  return meaningColor(theme, value.value ? 'allow' : 'deny');
}

interface TracedPartProps {
  readonly piece: StepPiece;
  readonly steps: readonly StepPiece[];
  readonly present: StepPiece;
  readonly choose: (index: number) => void;
}

/** A part of a rule with what it came to behind it, and those within it in their places. */
function TracedPart({ piece, steps, present, choose }: TracedPartProps) {
  const { t } = useTranslation('rules');
  const theme = useTheme();
  const print = usePrintValue();
  const { value } = piece.step;
  const index = steps.indexOf(piece);
  const color = valueColor(theme, value);
  const isPresent = piece === present;
  const isBoolean = value.kind === 'scalar' && typeof value.value === 'boolean';
  const isChain = piece.pieces.some((part) => part.kind === 'text' && CHAIN.test(part.text));
  const isChipped = piece.isLeaf || (value.kind !== 'error' && !isChain);
  return (
    <Box
      component="span"
      role="group"
      aria-label={t('trace.part', {
        text: piece.text.replace(/\s+/g, ' ').slice(0, 200),
        value: print(value, 'short'),
      })}
      tabIndex={isPresent ? 0 : -1}
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
            present={present}
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
            }}
          >
            {isBoolean
              ? value.value === true
                ? `✓ ${t('trace.true')}`
                : `✗ ${t('trace.false')}`
              : print(value, 'short')}
          </Box>
          {/* Calls on calls have no space where a line could break. */}
          <wbr />
        </>
      )}
    </Box>
  );
}

/** What is between the parts of `a && b || c`. */
const CHAIN = /&&|\|\|/;

interface ChainTextProps {
  readonly text: string;
  /** What the whole came to. */
  readonly color: string | undefined;
}

/** Text between parts. The operator of a chain says what the chain came to: at its end it would be taken for the last part's. */
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

/** Line breaks of a rule are part of how it looks. */
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
 * A rule with what each part of it came to in its place. The arrow keys go from part to part; what the present one came to
 * is told in full below.
 */
export function TraceView({ label, step, source }: TraceViewProps) {
  const { t } = useTranslation('rules');
  const print = usePrintValue();
  const root = useMemo(() => tracePieces(step, source), [step, source]);
  const steps = useMemo(() => stepsOf(root), [root]);
  const [current, setCurrent] = useState(0);
  const evaluatedPath = useRef<HTMLDivElement>(null);
  const present = steps[Math.min(current, steps.length - 1)] ?? root;
  function go(index: number): void {
    const next = Math.min(Math.max(index, 0), steps.length - 1);
    setCurrent(next);
    evaluatedPath.current?.querySelector<HTMLElement>(`[data-step="${next}"]`)?.focus();
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
        ref={evaluatedPath}
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
