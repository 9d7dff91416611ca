import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import CardActionArea from '@mui/material/CardActionArea';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { countAccounts } from '../../api/accounts.ts';
import { listConnections } from '../../api/activity.ts';
import { listDenials } from '../../api/denials.ts';
import { type Loadable, loadableOf } from '../../api/query-state.ts';
import { areaAddress, dataAddress, rulesAddress } from '../../session/addresses.ts';
import { useMeasure } from '../../session/databases.ts';
import { useApi, useProjectId } from '../../session/session.ts';
import { printBytes } from '../../ui/text.tsx';

interface FigureCardProps {
  /** What is counted. */
  readonly title: string;
  /** Where more is told of it. */
  readonly address: string;
  /** `undefined` until it is there. */
  readonly value: ReactNode | undefined;
  readonly detail: string;
}

/** A figure that leads to what it counts. */
function FigureCard({ title, address, value, detail }: FigureCardProps) {
  return (
    <Card variant="outlined">
      <CardActionArea component={Link} to={address} sx={{ padding: 2, height: '100%', display: 'block' }}>
        <Typography component="h2" variant="body2" color="textSecondary">
          {title}
        </Typography>
        <Typography component="div" sx={{ fontSize: '1.75rem', fontWeight: 650, lineHeight: 1.4 }}>
          {value ?? <Skeleton width={64} />}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {detail}
        </Typography>
      </CardActionArea>
    </Card>
  );
}

/** A number, or the least that it is: more are not counted. */
export interface Figure {
  readonly count: number;
  readonly isMore: boolean;
}

export interface Figures {
  readonly connections: Loadable<Figure>;
  /** Within the last 24 hours. */
  readonly denials: Loadable<Figure>;
  readonly accounts: Loadable<Figure>;
}

const AGAIN_MS = 5_000;
const DAY_MS = 86_400_000;
const MOST_CONNECTIONS = 500;
const MOST_DENIALS = 200;

/** What goes on in a project, as it is now. */
function useFigures(database: string): Figures {
  const api = useApi();
  const project = useProjectId();
  const again = { refetchInterval: AGAIN_MS };
  return {
    connections: loadableOf(
      useQuery({
        ...again,
        queryKey: ['figures', 'connections', database],
        queryFn: async (): Promise<Figure> => {
          const { connections, next } = await listConnections(api, database, undefined, MOST_CONNECTIONS);
          return { count: connections.length, isMore: next !== null };
        },
      }),
    ),
    denials: loadableOf(
      useQuery({
        ...again,
        queryKey: ['figures', 'denials', database],
        queryFn: async (): Promise<Figure> => {
          const { denials } = await listDenials(api, database, {}, MOST_DENIALS);
          const since = Date.now() - DAY_MS;
          const count = denials.filter(({ timeMs }) => timeMs >= since).length;
          return { count, isMore: count === MOST_DENIALS };
        },
      }),
    ),
    accounts: loadableOf(
      useQuery({
        ...again,
        queryKey: ['figures', 'accounts', project],
        queryFn: async (): Promise<Figure> => ({ count: await countAccounts(api, project), isMore: false }),
      }),
    ),
  };
}

interface FiguresGridProps {
  readonly database: string;
}

/** What there is and what goes on, each figure a way to more. */
export function FiguresGrid({ database }: FiguresGridProps) {
  const { t, i18n } = useTranslation('overview');
  const project = useProjectId();
  const { connections, denials, accounts } = useFigures(database);
  const { measure } = useMeasure(database);
  const number = new Intl.NumberFormat(i18n.language);
  const print = (figure: Loadable<Figure>): string | undefined => {
    if (figure.kind === 'loading') return undefined;
    if (figure.kind !== 'ready') return '–';
    const text = number.format(figure.data.count);
    return figure.data.isMore ? t('figures.atLeast', { count: text }) : text;
  };
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(160px, 1fr))' }}>
      <FigureCard
        title={t('figures.size')}
        address={dataAddress(project, database)}
        value={measure && printBytes(measure.bytes, i18n.language)}
        detail={t(measure?.isComplete === false ? 'figures.measuring' : 'figures.sizeDetail')}
      />
      <FigureCard
        title={t('figures.connections')}
        address={`${areaAddress(project, 'activity')}/connections`}
        value={print(connections)}
        detail={t('figures.connectionsDetail')}
      />
      <FigureCard
        title={t('figures.denials')}
        address={rulesAddress(project, database, 'denials')}
        value={print(denials)}
        detail={t('figures.denialsDetail')}
      />
      <FigureCard
        title={t('figures.accounts')}
        address={areaAddress(project, 'accounts')}
        value={print(accounts)}
        detail={t('figures.accountsDetail')}
      />
    </Box>
  );
}
