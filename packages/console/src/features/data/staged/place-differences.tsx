import { nodeAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { showControls } from '../../../elements/show-controls.ts';
import { MONOSPACE } from '../../../theme.ts';
import { type Difference, findDifferences } from './differences.ts';
import { StageSign } from './stage-sign.tsx';
import { stageStyles } from './stage-styles.ts';
import { endsOf, type StagedPlace } from './staged-list.ts';

/** Differences of one place that are shown. */
const MAX_SHOWN = 20;
/** Letters of a value that are shown. */
const MAX_UNITS = 300;

const Lines = styled('ul')(({ theme }) => ({
  margin: 0,
  marginBlockStart: theme.spacing(0.5),
  padding: 0,
  listStyle: 'none',
  fontFamily: MONOSPACE,
  fontSize: theme.typography.body2.fontSize,
  overflowWrap: 'anywhere',
  '& li': { display: 'flex', gap: theme.spacing(1), alignItems: 'baseline', paddingBlock: 2 },
  '& del': { color: theme.palette.text.secondary },
  '& ins': { textDecoration: 'none', fontWeight: 600 },
  ...stageStyles(theme),
}));

/** What is to become other at a place, and below it where there are children before and after. */
export function PlaceDifferences({ place }: { readonly place: StagedPlace }) {
  const { t, i18n } = useTranslation('data');
  const { before, after } = endsOf(place);
  const differences = findDifferences(before, after);
  const more = differences.length - MAX_SHOWN;
  return (
    <Lines>
      {differences.slice(0, MAX_SHOWN).map((difference) => (
        <DifferenceLine
          key={difference.keys.join('/')}
          difference={difference}
          before={nodeAt(before, difference.keys)}
          after={nodeAt(after, difference.keys)}
        />
      ))}
      {more > 0 && <li>{t('staged.more', { number: more.toLocaleString(i18n.language) })}</li>}
    </Lines>
  );
}

interface DifferenceLineProps {
  readonly difference: Difference;
  readonly before: TreeNode | null;
  readonly after: TreeNode | null;
}

function DifferenceLine({ difference: { keys, sign }, before, after }: DifferenceLineProps) {
  return (
    <li>
      <StageSign sign={sign} />
      <Box component="span" dir="ltr" sx={{ minWidth: 0 }}>
        {keys.length > 0 && <bdi>{showControls(keys.join('/'))}: </bdi>}
        {before !== null && <del>{print(before)}</del>}
        {before !== null && after !== null && ' → '}
        {after !== null && <ins>{print(after)}</ins>}
      </Box>
    </li>
  );
}

function print(node: TreeNode): string {
  const text = exportJson(node);
  return showControls(text.length > MAX_UNITS ? `${text.slice(0, MAX_UNITS)}…` : text);
}
