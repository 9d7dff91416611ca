import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { showControls } from '../../../elements/show-controls.ts';
import type { StepPiece } from './trace-pieces.ts';
import { usePrintValue } from './use-print-value.ts';
import { valueColor } from './value-color.ts';

interface TracedPartProps {
  readonly piece: StepPiece;
  readonly steps: readonly StepPiece[];
  readonly present: StepPiece;
  readonly choose: (index: number) => void;
}

/** A part of a rule with what it came to behind it, and those within it in their places. */
export function TracedPart({ piece, steps, present, choose }: TracedPartProps) {
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
