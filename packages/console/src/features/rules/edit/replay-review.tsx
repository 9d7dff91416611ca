import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../../elements/failure.tsx';
import { changeRecording } from '../../../server/rules.ts';
import { useChanges } from '../../../server/use-changes.ts';
import { useApi, useRights } from '../../../session/session.ts';
import { FlipGroups } from './flip-groups.tsx';
import { countFlips, countOf, type Replay, recordingKey } from './use-replay.ts';

interface ReplayReviewProps {
  readonly database: string;
  readonly replay: Replay;
}

/** What a draft would have changed for those who used the database lately. */
export function ReplayReview({ database, replay }: ReplayReviewProps) {
  const { t } = useTranslation('rules');
  const api = useApi();
  const { mayChange } = useRights();
  const change = useChanges(recordingKey(database));
  switch (replay.kind) {
    case 'loading':
      return (
        <Box>
          <Typography variant="body2">{t('replay.running')}</Typography>
          <LinearProgress aria-label={t('replay.running')} />
        </Box>
      );
    case 'off':
      return (
        <Alert
          severity="info"
          action={
            mayChange && (
              <Button
                color="inherit"
                size="small"
                onClick={() => void change(() => changeRecording(api, database, { isOn: true }))}
              >
                {t('replay.turnOn')}
              </Button>
            )
          }
        >
          {t('replay.off')}
        </Alert>
      );
    case 'failed':
      return <Failure error={replay.error} retry={replay.retry} />;
    default:
      return <Report report={replay.report} />;
  }
}

function Report({ report }: { readonly report: Extract<Replay, { kind: 'ready' }>['report'] }) {
  const { t } = useTranslation('rules');
  const { operations, notRecorded, sampledOut, allowedToDenied, deniedToAllowed } = report;
  const left = notRecorded + sampledOut;
  const leftOut = left === 0 ? '' : ` ${t('replay.leftOut', { count: left })}`;
  if (operations === 0) return <Alert severity="info">{t('replay.nothing')}</Alert>;
  if (countFlips(report) === 0)
    return <Alert severity="success">{`${t('replay.same', { count: operations })}${leftOut}`}</Alert>;
  return (
    <Alert severity="warning" slotProps={{ message: { sx: { flex: 1, minWidth: 0 } } }}>
      <AlertTitle>{t('replay.flipped', { count: countFlips(report), total: operations })}</AlertTitle>
      {leftOut}
      {allowedToDenied.length > 0 && (
        <FlipGroups
          title={t('replay.toDenied', { count: countOf(allowedToDenied) })}
          groups={allowedToDenied}
        />
      )}
      {deniedToAllowed.length > 0 && (
        <FlipGroups
          title={t('replay.toAllowed', { count: countOf(deniedToAllowed) })}
          groups={deniedToAllowed}
        />
      )}
    </Alert>
  );
}
