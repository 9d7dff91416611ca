import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import Link from '@mui/material/Link';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { forgetChange, type ListedChange, readChanges, readLaterWrites } from '../../../api/changes.ts';
import { useApi, useRights } from '../../../session/session.ts';
import { reportFailure } from '../../../ui/notices.tsx';
import { Failure, LoadingBar } from '../../../ui/states.tsx';
import { CodeText, printBytes, showControls } from '../../../ui/text.tsx';
import { TimeText } from '../../../ui/time-text.tsx';
import { type NodePath, parseTypedPath } from '../model/node-path.ts';
import { LaterList } from './later-list.tsx';
import { DAY_MS } from './use-limits.ts';
import { useUndo } from './use-undo.ts';

const PAGE = 30;

interface ChangesDialogProps {
  readonly database: string;
  readonly addressOf: (path: NodePath) => string;
  readonly close: () => void;
}

/** Lists the changes that were made in the console, with their undo. */
export function ChangesDialog({ database, addressOf, close }: ChangesDialogProps) {
  const { t, i18n } = useTranslation('data');
  const titleId = useId();
  const api = useApi();
  const [isOnlyOwn, setOnlyOwn] = useState(false);
  const query = useInfiniteQuery({
    queryKey: ['changes', database],
    queryFn: ({ pageParam, signal }) => readChanges(api, database, pageParam, PAGE, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    gcTime: 0,
  });
  const changes = query.data?.pages.flatMap((page) => page.changes) ?? [];
  const shown = isOnlyOwn ? changes.filter(({ isOwn }) => isOwn) : changes;
  const limits = query.data?.pages[0]?.limits;
  return (
    <Dialog open onClose={close} aria-labelledby={titleId} maxWidth="md" fullWidth>
      <DialogTitle id={titleId}>{t('changes.title')}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        <FormControlLabel
          control={<Switch checked={isOnlyOwn} onChange={(_event, isOn) => setOnlyOwn(isOn)} />}
          label={t('changes.onlyOwn')}
        />
        {query.isPending && <LoadingBar />}
        {query.error !== null && <Failure error={query.error} retry={() => void query.refetch()} />}
        {query.isSuccess && shown.length === 0 && (
          <Typography color="textSecondary">{t('changes.none')}</Typography>
        )}
        {shown.length > 0 && (
          <Box
            component="ul"
            aria-label={t('changes.title')}
            sx={{ margin: 0, padding: 0, listStyle: 'none' }}
          >
            {shown.map((change) => (
              <ChangeLine
                key={change.id}
                database={database}
                change={change}
                addressOf={addressOf}
                close={close}
                refetch={() => void query.refetch()}
              />
            ))}
          </Box>
        )}
        {query.hasNextPage && (
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('changes.more')}
          </Button>
        )}
        {limits !== undefined && (
          <Typography variant="body2" color="textSecondary">
            {t('changes.limits', {
              count: limits.ageMs / DAY_MS,
              bytes: printBytes(limits.bytes, i18n.language),
              number: limits.paths.toLocaleString(i18n.language),
            })}
          </Typography>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={close}>{t('actAs.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}

interface ChangeLineProps {
  readonly database: string;
  readonly change: ListedChange;
  readonly addressOf: (path: NodePath) => string;
  readonly close: () => void;
  readonly refetch: () => void;
}

function ChangeLine({ database, change, addressOf, close, refetch }: ChangeLineProps) {
  const { t, i18n } = useTranslation('data');
  const { t: shell } = useTranslation();
  const { mayChange } = useRights();
  const api = useApi();
  const { undo } = useUndo(database, refetch);
  const [isOpen, setOpen] = useState(false);
  const { id, kind, timeMs, author, isOwn, paths, count, bytes, isMeasured, canUndo, final, undoneBy } =
    change;
  const size = printBytes(bytes, i18n.language);
  const [first = '/'] = paths;
  const more = count - 1;
  const state =
    final !== null ? t(`changes.final.${final}`) : undoneBy !== null ? t('changes.wasUndone') : null;
  async function forget(): Promise<void> {
    try {
      await forgetChange(api, database, id);
      refetch();
    } catch (error) {
      reportFailure(error);
    }
  }
  return (
    <Box component="li" sx={{ paddingBlock: 1.5, borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        <Box sx={{ flex: '1 1 16rem', minWidth: 0 }}>
          <Typography component="div">
            {t(`changes.kind.${kind}`)}{' '}
            <Link
              component={RouterLink}
              to={addressOf(parseTypedPath(first.replace(/\/\.priority$/, '')))}
              onClick={close}
            >
              <CodeText>{showControls(first)}</CodeText>
            </Link>
            {more > 0 &&
              ` ${t('changes.andMore', { count: more, number: more.toLocaleString(i18n.language) })}`}
          </Typography>
          <Typography variant="body2" color="textSecondary" component="div">
            <TimeText ms={timeMs} /> · {isOwn ? t('changes.you') : showControls(author)}
            {bytes > 0 && ` · ${isMeasured ? size : t('changes.atLeast', { bytes: size })}`}
            {state !== null && ` · ${state}`}
          </Typography>
        </Box>
        {canUndo && (
          <>
            <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {t('changes.later')}
            </Button>
            {mayChange && (
              <>
                <Button size="small" onClick={() => void forget()}>
                  {t('changes.forget')}
                </Button>
                <Button size="small" variant="outlined" onClick={() => void undo(id)}>
                  {shell('undo')}
                </Button>
              </>
            )}
          </>
        )}
      </Box>
      {isOpen && canUndo && <Later database={database} id={id} />}
    </Box>
  );
}

function Later({ database, id }: { readonly database: string; readonly id: number }) {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ['changes', database, id],
    queryFn: ({ signal }) => readLaterWrites(api, database, id, signal),
    gcTime: 0,
  });
  if (data !== undefined) return <LaterList later={data} />;
  return error === null ? <LoadingBar /> : <Failure error={error} retry={() => void refetch()} />;
}
