import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { type HotPath, type HotPaths, listHotPaths } from '../../api/activity.ts';
import { type Loadable, loadableOf } from '../../api/query-state.ts';
import { areaAddress } from '../../session/addresses.ts';
import { useApi, useProjectId } from '../../session/session.ts';
import { HotPathLink } from '../activity/hot-path-link.tsx';
import { Part } from './part.tsx';

const REFRESH_MS = 5_000;
const LIMIT = 5;

interface BusiestPathsProps {
  readonly database: string;
}

/** Shows the paths that clients read and write most. */
export function BusiestPaths({ database }: BusiestPathsProps) {
  const api = useApi();
  const query = useQuery({
    queryKey: ['overview', 'hot-paths', database],
    queryFn: () => listHotPaths(api, database, LIMIT),
    refetchInterval: REFRESH_MS,
  });
  return <BusiestPathsView database={database} paths={loadableOf(query)} />;
}

interface BusiestPathsViewProps extends BusiestPathsProps {
  readonly paths: Loadable<HotPaths>;
}

export function BusiestPathsView({ database, paths }: BusiestPathsViewProps) {
  const { t } = useTranslation('overview');
  const project = useProjectId();
  const search = new URLSearchParams({ database });
  return (
    <Part
      title={t('paths.title')}
      of={paths}
      actions={
        <Link
          component={RouterLink}
          variant="body2"
          to={`${areaAddress(project, 'activity')}/paths?${search}`}
        >
          {t('paths.all')}
        </Link>
      }
    >
      {({ reads, writes }) => (
        <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { sm: 'repeat(2, minmax(0, 1fr))' } }}>
          <Ranking title={t('paths.reads')} database={database} paths={reads.filter(isCounted)} />
          <Ranking title={t('paths.writes')} database={database} paths={writes.filter(isCounted)} />
        </Box>
      )}
    </Part>
  );
}

/** Returns whether the count of a path is shown as at least 1. Counts decrease over time. */
function isCounted({ count }: HotPath): boolean {
  return Math.round(count) > 0;
}

interface RankingProps extends BusiestPathsProps {
  readonly title: string;
  /** Most frequent first. */
  readonly paths: readonly HotPath[];
}

/** A list of paths with their counts. The bar behind a path shows its count relative to the highest count. */
function Ranking({ title, database, paths }: RankingProps) {
  const { t, i18n } = useTranslation('overview');
  const print = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 0 });
  const highest = Math.max(...paths.map(({ count }) => count));
  return (
    <Box component="section" sx={{ minWidth: 0 }}>
      <Typography component="h3" variant="body2" color="textSecondary" sx={{ marginBlockEnd: 0.5 }}>
        {title}
      </Typography>
      {paths.length === 0 ? (
        <Typography variant="body2" color="textSecondary" sx={{ paddingBlock: 1 }}>
          {t('paths.none')}
        </Typography>
      ) : (
        <Box component="ol" aria-label={title} sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {paths.map(({ path, count }) => (
            <Box
              component="li"
              key={path}
              sx={{
                position: 'relative',
                display: 'flex',
                gap: 1,
                justifyContent: 'space-between',
                alignItems: 'baseline',
                paddingInline: 1,
                paddingBlock: 0.75,
                marginBlockEnd: 0.5,
                fontSize: '0.875rem',
                '&::before': {
                  content: '""',
                  position: 'absolute',
                  insetBlock: 0,
                  insetInlineStart: 0,
                  width: `${(100 * count) / highest}%`,
                  borderRadius: 0.5,
                  backgroundColor: 'primary.main',
                  opacity: 0.1,
                },
              }}
            >
              <Box sx={{ minWidth: 0, position: 'relative' }}>
                <HotPathLink database={database} path={path} />
              </Box>
              <Box component="span" sx={{ fontVariantNumeric: 'tabular-nums', position: 'relative' }}>
                {print.format(count)}
              </Box>
            </Box>
          ))}
        </Box>
      )}
    </Box>
  );
}
