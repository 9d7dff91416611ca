import { nodeAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { showControls } from '../../../ui/text.tsx';
import { MONOSPACE } from '../../../ui/theme.ts';
import type { DataLocation } from '../model/location.ts';
import { parentOf } from '../model/node-path.ts';
import type { StalePaths } from './apply.ts';
import { StageSign, stageStyles } from './marks.tsx';
import { type Difference, findDifferences } from './overlay.ts';
import { endsOf, type StagedList, type StagedPath } from './store.ts';

/** Differences of one place that are shown. */
const MAX_DIFFERENCES = 20;
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
function PathDifferences({ place: location }: { readonly place: StagedPath }) {
  const { t, i18n } = useTranslation('data');
  const { before, after } = endsOf(location);
  const differences = findDifferences(before, after);
  const more = differences.length - MAX_DIFFERENCES;
  return (
    <Lines>
      {differences.slice(0, MAX_DIFFERENCES).map((difference) => (
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

interface ReviewGroupProps {
  /** They are dropped together. */
  readonly places: StagedList;
  readonly stale: StalePaths;
  readonly mayChange: boolean;
  readonly place: DataLocation;
  readonly drop: () => void;
  /** Decides against whoever has changed a place meanwhile. */
  readonly overwrite: (location: StagedPath) => void;
}

/** Staged places that belong together, each with what stands there and what is to stand there. */
export function ReviewGroup({
  places: paths,
  stale,
  mayChange,
  place: location,
  drop,
  overwrite,
}: ReviewGroupProps) {
  const { t } = useTranslation('data');
  const name = paths.map(({ path }) => showControls(path)).join(', ');
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        alignItems: 'flex-start',
        gap: 1,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        padding: 1.5,
        marginBlockEnd: 1,
        contentVisibility: 'auto',
        containIntrinsicBlockSize: 'auto 72px',
      }}
    >
      <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column', gap: 1 }}>
        {paths.map((one) => (
          <div key={one.path}>
            <Link
              component={RouterLink}
              to={location.plainAddressOf(parentOf(one.path))}
              sx={{ fontFamily: MONOSPACE, fontWeight: 600, overflowWrap: 'anywhere' }}
            >
              <bdi dir="ltr">{showControls(one.path)}</bdi>
            </Link>
            <PathDifferences place={one} />
            {stale.has(one.path) && (
              <StaleNotice
                current={stale.get(one.path)?.current?.text ?? null}
                mayChange={mayChange}
                drop={drop}
                overwrite={() => overwrite(one)}
              />
            )}
          </div>
        ))}
      </Box>
      <Button
        size="small"
        color="inherit"
        aria-label={t('staged.dropNamed', { name })}
        onClick={drop}
        sx={{ flexShrink: 0 }}
      >
        {t('staged.drop')}
      </Button>
    </Box>
  );
}

/** Letters of a value that are shown. */
const MAX_CURRENT_UNITS = 300;

interface StaleNoticeProps {
  /** What stands there now; `null` when it is too large to be shown. */
  readonly current: string | null;
  readonly mayChange: boolean;
  readonly drop: () => void;
  readonly overwrite: () => void;
}

/** Somebody else has changed a place since it was staged: shows what stands there now, and asks. */
function StaleNotice({ current, mayChange, drop, overwrite }: StaleNoticeProps) {
  const { t } = useTranslation('data');
  return (
    <Alert severity="error" role="note" sx={{ marginBlockStart: 1 }}>
      {current === null ? t('staged.nowTooLarge') : t(current === 'null' ? 'staged.nowGone' : 'staged.now')}
      {current !== null && current !== 'null' && (
        <Box
          component="bdi"
          dir="ltr"
          sx={{ display: 'block', fontFamily: MONOSPACE, overflowWrap: 'anywhere' }}
        >
          {showControls(current.slice(0, MAX_CURRENT_UNITS))}
          {current.length > MAX_CURRENT_UNITS && '…'}
        </Box>
      )}
      {mayChange && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, marginBlockStart: 1 }}>
          <Button size="small" variant="outlined" color="inherit" onClick={drop}>
            {t('conflict.keepTheirs')}
          </Button>
          {current !== null && (
            <Button size="small" color="inherit" onClick={overwrite}>
              {t('conflict.writeMine')}
            </Button>
          )}
        </Box>
      )}
    </Alert>
  );
}
