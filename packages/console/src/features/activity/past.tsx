import type { ActivityPast, HistoryRange } from '@hearth/core/api/activity.ts';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { readPastActivity } from '../../api/activity.ts';
import { loadableOf } from '../../api/query-state.ts';
import { useApi } from '../../session/session.ts';
import { Loaded } from '../../ui/states.tsx';
import { FigureGrid } from '../../ui/tables.tsx';
import { printBytes } from '../../ui/text.tsx';
import { PAST_CHARTS, pastPoints, printFigure, rangeTicks } from './figures.ts';
import { ChartGrid } from './live.tsx';

/** Interval at which a range is read again. A new point arrives every 10 seconds in the last hour. */
const REFRESH_MS: Readonly<Record<HistoryRange, number>> = {
  hour: 10_000,
  day: 60_000,
  week: 60_000,
  month: 60_000,
};

/** How the time axis of each range prints times. */
const FORMATS: Readonly<Record<HistoryRange, Intl.DateTimeFormatOptions>> = {
  hour: { timeStyle: 'short' },
  day: { timeStyle: 'short' },
  week: { weekday: 'short', day: 'numeric' },
  month: { month: 'short', day: 'numeric' },
};

interface PastActivityProps {
  readonly database: string;
  readonly range: HistoryRange;
}

/** Shows the activity of a database in the last hour, day, week or 30 days. */
export function PastActivity({ database, range }: PastActivityProps) {
  const api = useApi();
  const past = useQuery({
    queryKey: ['past-activity', database, range],
    queryFn: () => readPastActivity(api, database, range),
    refetchInterval: REFRESH_MS[range],
  });
  return <Loaded of={loadableOf(past)}>{(loaded) => <PastCharts past={loaded} />}</Loaded>;
}

function PastCharts({ past }: { readonly past: ActivityPast }) {
  const { t } = useTranslation('activity');
  const { range } = past;
  return (
    <>
      <PastFigures past={past} />
      {past.points.length === 0 && <Typography color="textSecondary">{t('past.none')}</Typography>}
      <ChartGrid
        charts={PAST_CHARTS}
        points={pastPoints(past)}
        axis={{
          ticks: rangeTicks(past),
          tick: FORMATS[range],
          exact: range === 'hour' ? { timeStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'short' },
        }}
      />
    </>
  );
}

/** Shows the totals and the largest figures of a range as text, also for users who do not see the charts. */
function PastFigures({ past: { points } }: { readonly past: ActivityPast }) {
  const { t, i18n } = useTranslation('activity');
  const { language } = i18n;
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  const sum = (figure: 'reads' | 'writes' | 'denied' | 'sentBytes' | 'receivedBytes'): number =>
    points.reduce((total, point) => total + point[figure], 0);
  const largest = (values: readonly (number | null)[]): number | null =>
    values.reduce((most, value) => (value === null || (most !== null && most >= value) ? most : value), null);
  const storeBytes = points.at(-1)?.storeBytes ?? null;
  return (
    <FigureGrid
      figures={[
        { name: t('figure.readsPerSec'), text: number.format(sum('reads')) },
        { name: t('figure.writesPerSec'), text: number.format(sum('writes')) },
        { name: t('figure.deniedPerSec'), text: number.format(sum('denied')) },
        { name: t('figure.sentPerSec'), text: printBytes(sum('sentBytes'), language) },
        { name: t('figure.receivedPerSec'), text: printBytes(sum('receivedBytes'), language) },
        {
          name: t('past.connections'),
          text: printFigure(largest(points.map(({ connections }) => connections)), 'count', language),
        },
        {
          name: t('past.latency'),
          text: printFigure(largest(points.map(({ p99Ms }) => p99Ms)), 'ms', language),
        },
        { name: t('figure.storeBytes'), text: printFigure(storeBytes, 'bytes', language) },
      ]}
    />
  );
}
