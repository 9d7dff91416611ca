import { nodeAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { showControls } from '../../../ui/text.tsx';
import type { DataLocation } from '../model/location.ts';
import { parentOf } from '../model/node-path.ts';
import type { StalePaths } from './apply.ts';
import { StageSign, stageStyles } from './marks.tsx';
import { type Difference, findDifferences } from './overlay.ts';
import { type StagedEdit, type StagedList, treesOf } from './store.ts';

/** Maximum number of differences shown for one path. */
const MAX_DIFFERENCES = 20;
/** Maximum length of a shown value in UTF-16 code units. */
const MAX_VALUE_LENGTH = 300;

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

/** Shows the differences that a staged edit makes at and below its path. */
function PathDifferences({ edit }: { readonly edit: StagedEdit }) {
  const { t, i18n } = useTranslation('data');
  const { before, after } = treesOf(edit);
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
  return showControls(text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text);
}

interface ReviewGroupProps {
  /** The edits of one group, which are dropped together. */
  readonly edits: StagedList;
  readonly stale: StalePaths;
  readonly mayChange: boolean;
  readonly location: DataLocation;
  readonly drop: () => void;
  /** Resolves a conflict: keeps the staged edit, based on the current node. */
  readonly overwrite: (edit: StagedEdit) => void;
}

/** Shows the staged edits of one group, each with the value before and after, and with its conflict if there is one. */
export function ReviewGroup({ edits, stale, mayChange, location, drop, overwrite }: ReviewGroupProps) {
  const { t } = useTranslation('data');
  const name = edits.map(({ path }) => showControls(path)).join(', ');
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
        {edits.map((one) => (
          <div key={one.path}>
            <Link
              component={RouterLink}
              to={location.plainAddressOf(parentOf(one.path))}
              sx={{ fontFamily: MONOSPACE, fontWeight: 600, overflowWrap: 'anywhere' }}
            >
              <bdi dir="ltr">{showControls(one.path)}</bdi>
            </Link>
            <PathDifferences edit={one} />
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

/** Maximum length of the shown current value in UTF-16 code units. */
const MAX_CURRENT_LENGTH = 300;

interface StaleNoticeProps {
  /** JSON text of the current node; `null` if it is too large to be shown. */
  readonly current: string | null;
  readonly mayChange: boolean;
  readonly drop: () => void;
  readonly overwrite: () => void;
}

/** Shows the current value of a path that another user has changed, and asks which version to keep. */
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
          {showControls(current.slice(0, MAX_CURRENT_LENGTH))}
          {current.length > MAX_CURRENT_LENGTH && '…'}
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
