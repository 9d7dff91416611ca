import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { CopyButton } from '../../elements/copy-button.tsx';
import { EmptyState } from '../../elements/empty-state.tsx';
import { ForeignText } from '../../elements/foreign-text.tsx';
import { Loaded } from '../../elements/loaded.tsx';
import { PlainTable } from '../../elements/plain-table.tsx';
import { TimeText } from '../../elements/time-text.tsx';
import { rulesAddress } from '../../routes/addresses.ts';
import { listQueries, type NotedQuery } from '../../server/activity.ts';
import { loadableOf } from '../../server/loadable.ts';
import { useApi, useProjectId } from '../../session/session.ts';
import { printFigure } from './print-figure.ts';

const REFRESH_MS = 5_000;

interface QueriesSectionProps {
  readonly database: string;
}

/** Queries lately that were slow or had no index, and what would mend them. */
export function QueriesSection({ database }: QueriesSectionProps) {
  const { t, i18n } = useTranslation('activity');
  const api = useApi();
  const query = useQuery({
    queryKey: ['queries', database],
    queryFn: () => listQueries(api, database),
    refetchInterval: REFRESH_MS,
  });
  const count = new Intl.NumberFormat(i18n.language);
  return (
    <>
      <Typography color="textSecondary">{t('queries.about')}</Typography>
      <Loaded of={loadableOf(query)}>
        {(queries) =>
          queries.length === 0 ? (
            <EmptyState title={t('queries.none')}>{t('queries.noneHint')}</EmptyState>
          ) : (
            <PlainTable
              label={t('section.queries')}
              head={[
                t('queries.location'),
                t('queries.orderBy'),
                t('queries.count'),
                t('queries.refused'),
                t('queries.slowest'),
                t('queries.children'),
                t('queries.latest'),
                t('queries.fix'),
              ]}
              rows={queries.map((one) => ({
                key: `${one.location} ${one.orderBy} ${one.isIndexed}`,
                cells: [
                  <ForeignText key="location" text={one.location} isCode />,
                  <ForeignText key="order" text={one.orderBy} isCode />,
                  count.format(one.count),
                  count.format(one.refused),
                  printFigure(one.slowestMs, 'ms', i18n.language),
                  one.mostChildren === null ? '–' : count.format(one.mostChildren),
                  <TimeText key="latest" ms={one.latestAtMs} />,
                  <Fix key="fix" database={database} query={one} />,
                ],
              }))}
            />
          )
        }
      </Loaded>
    </>
  );
}

function Fix({ database, query: { fix } }: { readonly database: string; readonly query: NotedQuery }) {
  const { t } = useTranslation('activity');
  const project = useProjectId();
  if (fix === null) return t('queries.indexed');
  return (
    <>
      <ForeignText text={fix} isCode />
      <CopyButton text={fix} label={`${t('queries.copyFix')}: ${fix}`} />
      <Link component={RouterLink} to={rulesAddress(project, database)}>
        {t('queries.openRules')}
      </Link>
    </>
  );
}
