import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type HotPath, listHotPaths } from '../../api/activity.ts';
import { loadableOf } from '../../api/query-state.ts';
import { useApi } from '../../session/session.ts';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { PlainTable } from '../../ui/tables.tsx';
import { HotPathLink } from './hot-path-link.tsx';

const REFRESH_MS = 3_000;
const LIMIT = 20;

interface PathsSectionProps {
  readonly database: string;
}

/** Shows the paths that are read and written most often. */
export function PathsSection({ database }: PathsSectionProps) {
  const { t, i18n } = useTranslation('activity');
  const api = useApi();
  const query = useQuery({
    queryKey: ['hot-paths', database],
    queryFn: () => listHotPaths(api, database, LIMIT),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Loaded of={loadableOf(query)}>
      {({ reads, writes, halfLifeMs }) => (
        <>
          <Typography color="textSecondary">
            {t('paths.about', {
              minutes: new Intl.NumberFormat(i18n.language, {
                style: 'unit',
                unit: 'minute',
                unitDisplay: 'long',
              }).format(halfLifeMs / 60_000),
            })}
          </Typography>
          <Box
            sx={{
              display: 'grid',
              gap: 3,
              gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 24rem), 1fr))',
            }}
          >
            <Paths title={t('paths.reads')} database={database} paths={reads} />
            <Paths title={t('paths.writes')} database={database} paths={writes} />
          </Box>
        </>
      )}
    </Loaded>
  );
}

interface PathsProps {
  readonly title: string;
  readonly database: string;
  readonly paths: readonly HotPath[];
}

function Paths({ title, database, paths }: PathsProps) {
  const { t, i18n } = useTranslation('activity');
  const count = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 0 });
  return (
    <section>
      <Typography variant="h2">{title}</Typography>
      {paths.length === 0 ? (
        <EmptyState title={t('paths.none')} />
      ) : (
        <PlainTable
          label={title}
          head={[t('paths.path'), t('paths.count')]}
          rows={paths.map(({ path, count: times }) => ({
            key: path,
            cells: [<HotPathLink key="path" database={database} path={path} />, count.format(times)],
          }))}
        />
      )}
    </section>
  );
}
