import Paper from '@mui/material/Paper';
import { useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { LineChart } from '@mui/x-charts/LineChart';
import { useTranslation } from 'react-i18next';
import { meaningColor } from '../../theme.ts';
import type { ActivityPoint } from './activity-series.ts';
import type { Chart } from './charts.ts';
import { printFigure } from './print-figure.ts';

const HEIGHT_PX = 200;
const AXIS_WIDTH_PX = 64;

interface ActivityChartProps {
  readonly chart: Chart;
  readonly points: readonly ActivityPoint[];
}

/** How some figures went in the last quarter of an hour. */
export function ActivityChart({ chart, points }: ActivityChartProps) {
  const { t, i18n } = useTranslation('activity');
  const theme = useTheme();
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: 'short' });
  const exactTime = new Intl.DateTimeFormat(i18n.language, { timeStyle: 'medium' });
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
            tickNumber: 4,
          },
        ]}
        yAxis={[
          { min: 0, width: AXIS_WIDTH_PX, valueFormatter: (value: number) => print(value), tickNumber: 4 },
        ]}
        series={chart.lines.map(({ figure, color }) => ({
          data: points.map((point) => point[figure]),
          label: t(`figure.${figure}`),
          color: meaningColor(theme, color),
          showMark: false,
          curve: 'linear',
          valueFormatter: print,
        }))}
      />
    </Paper>
  );
}
