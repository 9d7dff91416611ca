import PauseIcon from '@mui/icons-material/Pause';
import PlayIcon from '@mui/icons-material/PlayArrow';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Command, useCommands } from '../../commands/commands.ts';
import { Failure } from '../../elements/failure.tsx';
import { LoadingBar } from '../../elements/loading-bar.tsx';
import { ActivityChart } from './activity-chart.tsx';
import { ActivityFigures } from './activity-figures.tsx';
import { CHARTS } from './charts.ts';
import { useActivity } from './use-activity.ts';

interface LiveSectionProps {
  readonly database: string;
}

/** What is done to a database now and in the last quarter of an hour. */
export function LiveSection({ database }: LiveSectionProps) {
  const { t } = useTranslation('activity');
  const [isPaused, setIsPaused] = useState(false);
  const { points, state } = useActivity(database, isPaused);
  const pauseTitle = t(isPaused ? 'live.resume' : 'live.pause');
  const commands = useMemo(
    (): readonly Command[] => [
      {
        id: 'activity.pause',
        title: pauseTitle,
        group: t('title'),
        keys: 'p',
        run: () => setIsPaused((is) => !is),
      },
    ],
    [pauseTitle, t],
  );
  useCommands(commands);
  if (state.kind === 'forbidden') return <Failure error={state.error} />;
  return (
    <>
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
        <Button
          variant="outlined"
          startIcon={isPaused ? <PlayIcon /> : <PauseIcon />}
          onClick={() => setIsPaused(!isPaused)}
        >
          {pauseTitle}
        </Button>
        {state.kind === 'waiting' && !isPaused && (
          <Alert severity="warning" role="status" sx={{ paddingBlock: 0 }}>
            {t('live.reconnecting')}
          </Alert>
        )}
      </Box>
      {state.kind === 'connecting' && points.length === 0 && <LoadingBar />}
      <ActivityFigures point={points.at(-1)} />
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 26rem), 1fr))',
        }}
      >
        {CHARTS.map((chart) => (
          <ActivityChart key={chart.id} chart={chart} points={points} />
        ))}
      </Box>
    </>
  );
}
