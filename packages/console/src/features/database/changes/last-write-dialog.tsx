import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { type LastWrite, readLastWrite } from '../../../api/changes.ts';
import { accountAddress } from '../../../session/addresses.ts';
import { useApi, useProjectId } from '../../../session/session.ts';
import { Failure, LoadingBar } from '../../../ui/states.tsx';
import { CodeText, printBytes, showControls } from '../../../ui/text.tsx';
import { TimeText } from '../../../ui/time-text.tsx';
import type { NodePath } from '../model/node-path.ts';

interface LastWriteDialogProps {
  readonly database: string;
  readonly path: NodePath;
  readonly close: () => void;
}

/** Shows who wrote a node last, and when. */
export function LastWriteDialog({ database, path, close }: LastWriteDialogProps) {
  const { t, i18n } = useTranslation('data');
  const titleId = useId();
  const api = useApi();
  const query = useQuery({
    queryKey: ['last-write', database, path],
    queryFn: ({ signal }) => readLastWrite(api, database, path, signal),
    gcTime: 0,
  });
  return (
    <Dialog open onClose={close} aria-labelledby={titleId} maxWidth="sm" fullWidth>
      <DialogTitle id={titleId}>{t('lastWrite.title')}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 1.5 }}>
        <CodeText>{showControls(path)}</CodeText>
        {query.isPending && <LoadingBar />}
        {query.error !== null && <Failure error={query.error} retry={() => void query.refetch()} />}
        {query.data !== undefined && <LastWriteText lastWrite={query.data} path={path} />}
        {query.data !== undefined && (
          <Typography variant="body2" color="textSecondary">
            {t('lastWrite.kept', {
              commits: query.data.kept.commits.toLocaleString(i18n.language),
              bytes: printBytes(query.data.kept.bytes, i18n.language),
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

function LastWriteText({ lastWrite, path }: { readonly lastWrite: LastWrite; readonly path: NodePath }) {
  const { t, i18n } = useTranslation('data');
  switch (lastWrite.kind) {
    case 'never':
      return <Typography role="status">{t('lastWrite.never')}</Typography>;
    case 'older':
      return (
        <Typography role="status" component="div">
          {t('lastWrite.older')} {lastWrite.sinceMs !== null && <TimeText ms={lastWrite.sinceMs} />}
        </Typography>
      );
    case 'write': {
      const more = lastWrite.paths - 1;
      return (
        <>
          <Typography role="status" component="div">
            <TimeText ms={lastWrite.timeMs} /> · <Author lastWrite={lastWrite} />
          </Typography>
          {(lastWrite.path !== path || more > 0) && (
            <Typography variant="body2" component="div">
              {t('lastWrite.wrote')} <CodeText>{showControls(lastWrite.path)}</CodeText>{' '}
              {more > 0 && t('changes.andMore', { count: more, number: more.toLocaleString(i18n.language) })}
            </Typography>
          )}
        </>
      );
    }
    default:
      return lastWrite satisfies never;
  }
}

function Author({ lastWrite }: { readonly lastWrite: Extract<LastWrite, { kind: 'write' }> }) {
  const { t } = useTranslation('data');
  const project = useProjectId();
  const { author, change } = lastWrite;
  if (author.kind === 'user' && author.uid !== undefined && author.uid !== '')
    return (
      <Link component={RouterLink} to={accountAddress({ project, tenant: author.tenant }, author.uid)}>
        {t('changes.by.user', { name: showControls(author.uid) })}
      </Link>
    );
  if (author.kind === 'admin' && change !== null) return <bdi>{showControls(change.author)}</bdi>;
  return <span>{t(`changes.by.${author.kind}`, { name: '' })}</span>;
}
