import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { showControls } from '../../../elements/show-controls.ts';
import { MONOSPACE } from '../../../theme.ts';
import { parentOf } from '../model/node-path.ts';
import type { DataPlace } from '../model/use-data-place.ts';
import type { StalePlaces } from './find-stale.ts';
import { PlaceDifferences } from './place-differences.tsx';
import type { StagedList, StagedPlace } from './staged-list.ts';

interface ReviewGroupProps {
  /** They are dropped together. */
  readonly places: StagedList;
  readonly stale: StalePlaces;
  readonly mayChange: boolean;
  readonly place: DataPlace;
  readonly drop: () => void;
  /** Decides against whoever has changed a place meanwhile. */
  readonly overwrite: (place: StagedPlace) => void;
}

/** Staged places that belong together, each with what stands there and what is to stand there. */
export function ReviewGroup({ places, stale, mayChange, place, drop, overwrite }: ReviewGroupProps) {
  const { t } = useTranslation('data');
  const name = places.map(({ path }) => showControls(path)).join(', ');
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
        {places.map((one) => (
          <div key={one.path}>
            <Link
              component={RouterLink}
              to={place.plainAddressOf(parentOf(one.path))}
              sx={{ fontFamily: MONOSPACE, fontWeight: 600, overflowWrap: 'anywhere' }}
            >
              <bdi dir="ltr">{showControls(one.path)}</bdi>
            </Link>
            <PlaceDifferences place={one} />
            {stale.has(one.path) && (
              <StaleNote
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
const MAX_SHOWN = 300;

interface StaleNoteProps {
  /** What stands there now; `null` when it is too large to be shown. */
  readonly current: string | null;
  readonly mayChange: boolean;
  readonly drop: () => void;
  readonly overwrite: () => void;
}

/** Somebody else has changed a place since it was staged: shows what stands there now, and asks. */
function StaleNote({ current, mayChange, drop, overwrite }: StaleNoteProps) {
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
          {showControls(current.slice(0, MAX_SHOWN))}
          {current.length > MAX_SHOWN && '…'}
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
