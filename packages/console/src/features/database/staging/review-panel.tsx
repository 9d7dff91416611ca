import CloseIcon from '@mui/icons-material/Close';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRights } from '../../../session/session.ts';
import { useCommands } from '../../../shell/commands.ts';
import { dismissNotice, useNotices } from '../../../ui/notices.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { SIDE_PANEL_WIDTH_PX } from '../../../ui/theme.ts';
import type { DataLocation } from '../model/location.ts';
import type { Applying, StalePaths } from './apply.ts';
import { ReviewGroup } from './review-group.tsx';
import { dropPaths, MAX_STAGED, rebasePath, type StagedEdit, type StagedList } from './store.ts';
import type { Stage } from './use-staging.ts';

/** Number of groups shown at first, and added by "Show more". */
const SHOWN = 100;

interface ReviewPanelProps {
  readonly location: DataLocation;
  readonly stage: Stage;
  readonly stale: StalePaths;
  readonly applying: Applying;
  readonly apply: () => Promise<void>;
  readonly close: () => void;
}

/** Lists all staged edits with their differences. The user drops some, resolves conflicts, and applies the rest together. */
export function ReviewPanel({ location, stage, stale, applying, apply, close }: ReviewPanelProps) {
  const { t, i18n } = useTranslation('data');
  const { mayChange } = useRights();
  const titleId = useId();
  const { list, stagingStore, isPersisted } = stage;
  const isRunning = applying.kind === 'running';
  const mayApply = mayChange && list.length > 0 && stale.size === 0 && !isRunning;
  const number = (value: number): string => value.toLocaleString(i18n.language);
  // The notice of the latest staged edit would cover the buttons, and the list already shows the edit.
  useEffect(() => {
    const { shown: reported } = useNotices.getState();
    if (reported?.kind === 'done') dismissNotice(reported.id);
  }, []);
  const latest = useRef(apply);
  latest.current = apply;
  const commands = useMemo(
    () =>
      mayApply
        ? [
            {
              id: 'data.apply',
              title: t('staged.apply', {
                count: list.length,
                number: list.length.toLocaleString(i18n.language),
              }),
              group: t('title'),
              keys: 'mod+enter',
              run: () => void latest.current(),
            },
          ]
        : [],
    [mayApply, list.length, t, i18n.language],
  );
  useCommands(commands);
  const groups = groupsOf(list, stale);
  const [shown, setShown] = useState(SHOWN);
  const [left, setLeft] = useState<{ readonly list: StagedList; readonly dropped: number } | null>(null);
  function drop(kept: StagedList): void {
    setLeft({ list: kept, dropped: list.length - kept.length });
    stagingStore.put(kept);
  }
  function overwrite({ path }: StagedEdit): void {
    const current = stale.get(path)?.current;
    if (current !== null && current !== undefined) stagingStore.put(rebasePath(list, path, current));
  }
  return (
    <Dialog
      open
      // The panel stays open while edits are applied, so that the user sees the result.
      onClose={isRunning ? undefined : close}
      aria-labelledby={titleId}
      sx={{ '& .MuiDialog-container': { alignItems: 'stretch', justifyContent: 'flex-end' } }}
      slotProps={{
        paper: {
          square: true,
          sx: {
            margin: 0,
            maxHeight: 'none',
            maxWidth: 'none',
            width: { xs: '100%', sm: SIDE_PANEL_WIDTH_PX * 1.25 },
          },
        },
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, padding: 2, paddingBlockEnd: 1 }}>
        <Typography id={titleId} variant="h2" sx={{ flex: 1 }}>
          {t('staged.title')}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {t('staged.ofMost', { number: number(list.length), most: number(MAX_STAGED) })}
        </Typography>
        <IconButton aria-label={t('staged.close')} disabled={isRunning} onClick={close}>
          <CloseIcon />
        </IconButton>
      </Box>
      <Box sx={{ flex: 1, minHeight: 0, overflowY: 'auto', paddingInline: 2 }}>
        {!isPersisted && <Alert severity="warning">{t('staged.notKept')}</Alert>}
        {list.length === 0 ? (
          <EmptyState title={t('staged.empty')}>{t('staged.emptyHint')}</EmptyState>
        ) : (
          <Box
            component="ol"
            aria-label={t('staged.title')}
            sx={{ listStyle: 'none', margin: 0, padding: 0 }}
          >
            {groups.slice(0, shown).map((edits) => (
              <ReviewGroup
                key={edits[0]?.path}
                edits={edits}
                stale={stale}
                mayChange={mayChange && !isRunning}
                location={location}
                drop={() => drop(dropPaths(list, new Set(edits.map(({ path }) => path))))}
                overwrite={overwrite}
              />
            ))}
          </Box>
        )}
        {groups.length > shown && (
          <Button fullWidth onClick={() => setShown(shown + SHOWN)}>
            {t('staged.showMore', { number: number(groups.length - shown) })}
          </Button>
        )}
      </Box>
      <Box sx={{ padding: 2, display: 'flex', flexDirection: 'column', gap: 1 }}>
        {left?.list === list && (
          <Alert
            severity="info"
            role="status"
            action={
              <Button color="inherit" size="small" onClick={() => stagingStore.undo(list)}>
                {t('undo', { ns: 'shell' })}
              </Button>
            }
          >
            {t('staged.dropped', { number: number(left.dropped) })}
          </Alert>
        )}
        {applying.kind === 'failed' && applying.list === list && (
          <Alert severity="error">{applying.error.message}</Alert>
        )}
        {!mayChange && <Alert severity="warning">{t('staged.mayNotApply')}</Alert>}
        {stale.size > 0 && (
          <Alert severity="error" role="status">
            {t('staged.decide', { number: number(stale.size) })}
          </Alert>
        )}
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, justifyContent: 'flex-end' }}>
          <Button color="error" disabled={list.length === 0 || isRunning} onClick={() => drop([])}>
            {t('staged.dropAll')}
          </Button>
          <Button
            autoFocus
            variant="contained"
            disabled={!mayApply && !isRunning}
            loading={isRunning}
            onClick={() => void apply()}
          >
            {t('staged.apply', { count: list.length, number: number(list.length) })}
          </Button>
        </Box>
      </Box>
    </Dialog>
  );
}

/** Returns the edits by group: first the groups with conflicts, then the others, both in the order of staging. */
function groupsOf(list: StagedList, stale: StalePaths): readonly StagedList[] {
  const groups = new Map<number, StagedEdit[]>();
  for (const edit of list) groups.set(edit.group, [...(groups.get(edit.group) ?? []), edit]);
  const isStale = (paths: StagedList): number => (paths.some(({ path }) => stale.has(path)) ? 0 : 1);
  return [...groups.values()].sort((a, b) => isStale(a) - isStale(b));
}
