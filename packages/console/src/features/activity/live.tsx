import PauseIcon from '@mui/icons-material/Pause';
import PlayIcon from '@mui/icons-material/PlayArrow';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import { useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { LineChart } from '@mui/x-charts/LineChart';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Command, useCommands } from '../../shell/commands.ts';
import { Failure, LoadingBar } from '../../ui/states.tsx';
import { FigureGrid } from '../../ui/tables.tsx';
import { meaningColor } from '../../ui/theme.ts';
import { type ActivityPoint, CHARTS, type Chart, type Figure, minuteTicks, printFigure } from './figures.ts';
import { useActivity } from './use-activity.ts';

const HEIGHT_PX = 200;
/** Width of the vertical axis, which depends on the longest unit in any language. */
const AXIS_WIDTH_PX = {
  count: 64,
  perSec: 64,
  ms: 84,
  bytes: 84,
  bytesPerSec: 104,
} as const satisfies Readonly<Record<Chart['unit'], number>>;

/** The time axis of a chart. */
interface TimeAxis {
  readonly ticks: readonly number[];
  /** How a tick and the time of a value are printed. */
  readonly tick: Intl.DateTimeFormatOptions;
  readonly exact: Intl.DateTimeFormatOptions;
}

interface ActivityChartProps {
  readonly chart: Chart;
  readonly points: readonly ActivityPoint[];
  readonly axis: TimeAxis;
}

/** Draws one chart. */
function ActivityChart({ chart, points, axis }: ActivityChartProps) {
  const { t, i18n } = useTranslation('activity');
  const theme = useTheme();
  const time = new Intl.DateTimeFormat(i18n.language, axis.tick);
  const exactTime = new Intl.DateTimeFormat(i18n.language, axis.exact);
  const print = (value: number | null): string => printFigure(value, chart.unit, i18n.language);
  return (
    <Paper variant="outlined" sx={{ padding: 2, margin: 0, minWidth: 0 }} component="figure">
      <Typography component="figcaption" variant="h3">
        {t(`chart.${chart.id}`)}
      </Typography>
      <LineChart
        height={HEIGHT_PX}
        skipAnimation
        grid={{ horizontal: true }}
        margin={{ top: 12, bottom: 4, left: 4, right: 12 }}
        xAxis={[
          {
            data: points.map(({ timeMs }) => timeMs),
            scaleType: 'time',
            valueFormatter: (ms: number, { location }) => (location === 'tick' ? time : exactTime).format(ms),
            tickInterval: [...axis.ticks],
          },
        ]}
        yAxis={[
          {
            min: 0,
            width: AXIS_WIDTH_PX[chart.unit],
            valueFormatter: (value: number) => print(value),
            tickNumber: 4,
          },
        ]}
        series={chart.lines.map(({ figure, color }) => ({
          data: points.map((point) => point[figure]),
          label: t(`figure.${figure}`),
          color: meaningColor(theme, color),
          // A value between gaps has no line.
          showMark: ({ index }) => isAlone(points, figure, index),
          curve: 'linear',
          valueFormatter: print,
        }))}
      />
    </Paper>
  );
}

/** Returns whether a point has a value, and the points before and after it have none. */
function isAlone(points: readonly ActivityPoint[], figure: Figure, index: number): boolean {
  const hasValue = (at: number): boolean => (points[at]?.[figure] ?? null) !== null;
  return hasValue(index) && !hasValue(index - 1) && !hasValue(index + 1);
}

interface ChartGridProps extends Omit<ActivityChartProps, 'chart'> {
  readonly charts: readonly Chart[];
}

/** Draws charts in as many columns as fit. */
export function ChartGrid({ charts, points, axis }: ChartGridProps) {
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 26rem), 1fr))',
      }}
    >
      {charts.map((chart) => (
        <ActivityChart key={chart.id} chart={chart} points={points} axis={axis} />
      ))}
    </Box>
  );
}

interface ActivityFiguresProps {
  /** The latest point, if any. */
  readonly point: ActivityPoint | undefined;
}

/** Shows the figures of the latest point as text, also for users who do not see the charts. */
function ActivityFigures({ point }: ActivityFiguresProps) {
  const { t, i18n } = useTranslation('activity');
  const figures = CHARTS.flatMap(({ unit, lines }) =>
    lines.map(({ figure }) => ({
      name: t(`figure.${figure}`),
      text: printFigure(point?.[figure] ?? null, unit, i18n.language),
    })),
  );
  return <FigureGrid figures={figures} />;
}

interface LiveSectionProps {
  readonly database: string;
}

/** Shows the activity of a database now and in the last 15 minutes. */
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
      <ChartGrid
        charts={CHARTS}
        points={points}
        axis={{ ticks: minuteTicks(points), tick: { timeStyle: 'short' }, exact: { timeStyle: 'medium' } }}
      />
    </>
  );
}
