import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import CardActionArea from '@mui/material/CardActionArea';
import Skeleton from '@mui/material/Skeleton';
import { useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { areaAddress, rulesAddress } from '../../session/addresses.ts';
import { useProjectId } from '../../session/session.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import { Failure } from '../../ui/states.tsx';
import { type Meaning, meaningColor } from '../../ui/theme.ts';
import { type ActivityPoint, type Chart, type Figure, printFigure } from '../activity/figures.ts';
import { type Activity, useActivity } from '../activity/use-activity.ts';
import { currentOf, stepsOf } from './live-history.ts';

/** A card with a small chart. */
interface LiveCard {
  readonly id: 'operations' | 'latency' | 'connections' | 'denials';
  readonly unit: Chart['unit'];
  readonly lines: readonly { readonly figure: CardFigure; readonly color: Meaning }[];
  /** Returns the address of the view with the details. */
  readonly address: (project: string, database: string) => string;
}

type CardFigure = Exclude<Figure, 'sentPerSec' | 'receivedPerSec' | 'storeBytes'>;

function activityAddress(section: string): LiveCard['address'] {
  return (project, database) =>
    `${areaAddress(project, 'activity')}/${section}?${new URLSearchParams({ database })}`;
}

const CARDS: readonly LiveCard[] = [
  {
    id: 'operations',
    unit: 'perSec',
    lines: [
      { figure: 'readsPerSec', color: 'number' },
      { figure: 'writesPerSec', color: 'allow' },
    ],
    address: activityAddress('live'),
  },
  {
    id: 'latency',
    unit: 'ms',
    lines: [
      { figure: 'p50Ms', color: 'number' },
      { figure: 'p99Ms', color: 'boolean' },
    ],
    address: activityAddress('live'),
  },
  {
    id: 'connections',
    unit: 'count',
    lines: [{ figure: 'connections', color: 'key' }],
    address: activityAddress('connections'),
  },
  {
    id: 'denials',
    unit: 'perSec',
    lines: [{ figure: 'deniedPerSec', color: 'deny' }],
    address: (project, database) => rulesAddress(project, database, 'denials'),
  },
];

const CHART_HEIGHT_PX = 48;

interface LiveCardsProps {
  readonly database: string;
}

/** Shows what clients do to a database now and in the last 15 minutes. */
export function LiveCards({ database }: LiveCardsProps) {
  return <LiveCardsView database={database} activity={useActivity(database)} />;
}

interface LiveCardsViewProps extends LiveCardsProps {
  readonly activity: Activity;
}

export function LiveCardsView({ database, activity: { points, isKnown, state } }: LiveCardsViewProps) {
  const { t } = useTranslation('overview');
  if (state.kind === 'forbidden') return <Failure error={state.error} />;
  return (
    <Box
      component="section"
      aria-label={t('live.title')}
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(4, minmax(0, 1fr))' },
      }}
    >
      {CARDS.map((card) => (
        <ChartCard key={card.id} card={card} database={database} points={isKnown ? points : undefined} />
      ))}
    </Box>
  );
}

interface ChartCardProps {
  readonly card: LiveCard;
  readonly database: string;
  /** `undefined` while they are loading. */
  readonly points: readonly ActivityPoint[] | undefined;
}

/** Shows the current values of a chart in large digits, above the chart. The card links to the details. */
function ChartCard({ card, database, points }: ChartCardProps) {
  const { t, i18n } = useTranslation('overview');
  const theme = useTheme();
  const project = useProjectId();
  const { id, unit, lines, address } = card;
  const print = (value: number | null): string => printFigure(value, unit, i18n.language);
  const drawn = lines.map(({ figure, color }) => {
    const values = stepsOf(points ?? [], figure);
    const known = values.filter((value) => value !== null);
    return {
      figure,
      values,
      color: meaningColor(theme, color),
      now: currentOf(values),
      min: known.length === 0 ? null : Math.min(...known),
      max: known.length === 0 ? null : Math.max(...known),
    };
  });
  const highest = drawn.flatMap(({ max }) => max ?? []);
  const largest = highest.length === 0 ? null : Math.max(...highest);
  const label = drawn
    .map(({ figure, now, min, max }) =>
      t('live.summary', {
        name: t(`live.figure.${figure}`),
        now: print(now),
        min: print(min),
        max: print(max),
      }),
    )
    .join(' ');
  return (
    <Card variant="outlined">
      <CardActionArea
        component={Link}
        to={address(project, database)}
        sx={{
          padding: { xs: 1.5, sm: 2 },
          height: '100%',
          display: 'flex',
          flexDirection: 'column',
          justifyContent: 'flex-start',
          gap: 1,
        }}
      >
        <Typography component="h2" variant="body2" color="textSecondary" sx={{ width: '100%' }}>
          {t(`live.${id}`)}
        </Typography>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: { xs: 1, sm: 2 }, width: '100%' }}>
          {drawn.map(({ figure, now, color }) => (
            <Value
              key={figure}
              text={points === undefined ? undefined : print(now)}
              name={t(`live.figure.${figure}`)}
              color={color}
            />
          ))}
        </Box>
        <Box sx={{ width: '100%', marginBlockStart: 'auto' }}>
          {points === undefined ? (
            <Skeleton variant="rounded" height={CHART_HEIGHT_PX} />
          ) : (
            <Sparkline label={label} lines={drawn} heightPx={CHART_HEIGHT_PX} />
          )}
        </Box>
        <Typography
          aria-hidden
          component="div"
          variant="caption"
          color="textSecondary"
          sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', gap: 1, width: '100%' }}
        >
          <span>{t('live.period')}</span>
          <span>{t('live.max', { value: isolated(print(largest)) })}</span>
        </Typography>
      </CardActionArea>
    </Card>
  );
}

/** Marks a figure in a text, so that the direction of the text does not reorder it. */
function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

interface ValueProps {
  /** `undefined` while it is loading. */
  readonly text: string | undefined;
  /** The name of the value. */
  readonly name: string;
  /** Color of the line in the chart. */
  readonly color: string;
}

function Value({ text, name, color }: ValueProps) {
  return (
    <Box sx={{ flex: '1 1 0', minWidth: 'max-content' }}>
      <Box
        sx={{
          fontSize: { xs: '1.25rem', sm: '1.5rem' },
          fontWeight: 650,
          lineHeight: 1.3,
          fontVariantNumeric: 'tabular-nums',
          whiteSpace: 'nowrap',
        }}
      >
        {text === undefined ? <Skeleton width="2em" /> : <LargeDigits text={text} />}
      </Box>
      <Typography
        component="div"
        variant="caption"
        color="textSecondary"
        sx={{ display: 'flex', alignItems: 'center', gap: 0.75 }}
      >
        <Box
          component="span"
          aria-hidden
          sx={{ width: 8, height: 8, borderRadius: '50%', backgroundColor: color, flexShrink: 0 }}
        />
        {name}
      </Typography>
    </Box>
  );
}

/** Shows the digits of a figure larger than its unit. */
function LargeDigits({ text }: { readonly text: string }) {
  // A text without digits is a dash for a missing value, and is shown large as a whole.
  const [before = '', digits = before, after = ''] = text.split(DIGITS);
  return (
    <bdi>
      {digits !== before && <Unit text={before} />}
      {digits}
      <Unit text={after} />
    </bdi>
  );
}

/** A number with its separators, in any script. */
const DIGITS = /(\p{Nd}[\p{Nd}.,\u066b\u066c]*)/u;

function Unit({ text }: { readonly text: string }) {
  return (
    <Box component="span" sx={{ fontSize: '0.8125rem', fontWeight: 500, color: 'text.secondary' }}>
      {text}
    </Box>
  );
}
