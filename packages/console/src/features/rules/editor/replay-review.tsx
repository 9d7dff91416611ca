import LooserIcon from '@mui/icons-material/LockOpenOutlined';
import TighterIcon from '@mui/icons-material/LockOutlined';
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useChanges } from '../../../api/query-state.ts';
import {
  changeRecording,
  type FlippedDecisions,
  type ReplayReport,
  readRecording,
  replayRules,
} from '../../../api/rules.ts';
import { useApi, useRights } from '../../../session/session.ts';
import { reportFailure } from '../../../ui/notices.tsx';
import { Failure } from '../../../ui/states.tsx';
import { CodeText, UntrustedText } from '../../../ui/text.tsx';
import { printRuleName } from '../names.ts';

interface FlipGroupsProps {
  readonly direction: 'tighter' | 'looser';
  readonly title: string;
  readonly groups: readonly FlippedDecisions[];
}

/** Maximum length of a shown example in UTF-16 code units of JSON. */
const MAX_EXAMPLE = 200;

/** Shows examples of operations whose result changes in one direction, grouped by the rule that causes the change. */
function FlipGroups({ direction, title, groups }: FlipGroupsProps) {
  const { t } = useTranslation('rules');
  return (
    <Alert
      component="section"
      aria-label={title}
      role="region"
      severity={direction === 'looser' ? 'warning' : 'error'}
      icon={direction === 'looser' ? <LooserIcon /> : <TighterIcon />}
      slotProps={{ message: { sx: { flex: 1, minWidth: 0 } } }}
    >
      <AlertTitle>{t(`replay.${direction}`)}</AlertTitle>
      {title}
      {groups.map(({ rule, count, examples }) => (
        <Box key={`${rule?.kind} ${rule?.location}`} component="details" sx={{ marginBlockStart: 0.5 }}>
          <Box component="summary" sx={{ cursor: 'pointer' }}>
            {t('replay.times', { count })}{' '}
            {rule === null ? t('replay.noRule') : <CodeText>{printRuleName(rule)}</CodeText>}
          </Box>
          {rule !== null && <UntrustedText isCode text={rule.text} />}
          <Box component="ul" sx={{ marginBlock: 0.5 }}>
            {examples.map((example) => {
              const text = JSON.stringify(example);
              return (
                <li key={text}>
                  <UntrustedText
                    isCode
                    text={text.length > MAX_EXAMPLE ? `${text.slice(0, MAX_EXAMPLE)}…` : text}
                  />
                </li>
              );
            })}
          </Box>
        </Box>
      ))}
    </Alert>
  );
}

interface ReplayChangesProps {
  readonly report: ReplayReport;
}

/** Shows the operations that a draft would deny apart from those that it would allow. */
export function ReplayChanges({ report: { allowedToDenied, deniedToAllowed } }: ReplayChangesProps) {
  const { t } = useTranslation('rules');
  if (allowedToDenied.length + deniedToAllowed.length === 0) return null;
  return (
    <Box
      sx={{
        alignSelf: 'stretch',
        display: 'grid',
        gridTemplateColumns: 'repeat(auto-fit, minmax(min(20rem, 100%), 1fr))',
        gap: 1,
      }}
    >
      {allowedToDenied.length > 0 && (
        <FlipGroups
          direction="tighter"
          title={t('replay.toDenied', { count: countOf(allowedToDenied) })}
          groups={allowedToDenied}
        />
      )}
      {deniedToAllowed.length > 0 && (
        <FlipGroups
          direction="looser"
          title={t('replay.toAllowed', { count: countOf(deniedToAllowed) })}
          groups={deniedToAllowed}
        />
      )}
    </Box>
  );
}

/** The effect of a draft on recorded operations, or the state of computing it. */
export type Replay =
  | { readonly kind: 'loading' }
  /** Recording is turned off. */
  | { readonly kind: 'off' }
  | { readonly kind: 'failed'; readonly error: Error; retry(): void }
  | { readonly kind: 'ready'; readonly report: ReplayReport };

function recordingKey(database: string): readonly string[] {
  return ['rules', database, 'recording'];
}

/** Evaluates a draft on recorded operations. */
export function useReplay(database: string, source: string): Replay {
  const api = useApi();
  const recording = useQuery({
    queryKey: recordingKey(database),
    queryFn: () => readRecording(api, database),
  });
  const replay = useQuery({
    queryKey: ['rules', database, 'replay', source],
    queryFn: ({ signal }) => replayRules(api, database, source, signal),
    enabled: recording.data?.isOn === true,
    gcTime: 0,
    staleTime: 0,
  });
  if (recording.data?.isOn === false) return { kind: 'off' };
  const error = recording.error ?? replay.error;
  if (error !== null) {
    const { refetch } = recording.error === null ? replay : recording;
    return { kind: 'failed', error, retry: () => void refetch() };
  }
  return replay.data === undefined || replay.isFetching
    ? { kind: 'loading' }
    : { kind: 'ready', report: replay.data };
}

/** Returns the number of operations that the draft decides differently. */
export function countFlips({ allowedToDenied, deniedToAllowed }: ReplayReport): number {
  return countOf(allowedToDenied) + countOf(deniedToAllowed);
}

function countOf(groups: readonly FlippedDecisions[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}

interface ReplayReviewProps {
  readonly database: string;
  readonly replay: Replay;
}

/** Shows the effect of a draft on recorded operations. If recording is off, offers to turn it on. */
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
                onClick={() =>
                  void change(() => changeRecording(api, database, { isOn: true })).catch(reportFailure)
                }
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
  const { operations, notRecorded, sampledOut } = report;
  const left = notRecorded + sampledOut;
  const leftOut = left === 0 ? '' : ` ${t('replay.leftOut', { count: left })}`;
  if (operations === 0) return <Alert severity="info">{t('replay.nothing')}</Alert>;
  if (countFlips(report) === 0)
    return <Alert severity="success">{`${t('replay.same', { count: operations })}${leftOut}`}</Alert>;
  return (
    <>
      <Typography variant="body2">
        {t('replay.flipped', { count: countFlips(report), total: operations })}
        {leftOut}
      </Typography>
      <ReplayChanges report={report} />
    </>
  );
}
