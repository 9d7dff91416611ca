import type { ListedQuery } from '@hearth/core/api/activity.ts';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { listQueries } from '../../api/activity.ts';
import { loadableOf } from '../../api/query-state.ts';
import { rulesAddress } from '../../session/addresses.ts';
import { useApi, useProjectId } from '../../session/session.ts';
import { CopyButton } from '../../ui/copy-and-save.tsx';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { PlainTable } from '../../ui/tables.tsx';
import { UntrustedText } from '../../ui/text.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { printFigure } from './figures.ts';

const REFRESH_MS = 5_000;

interface QueriesSectionProps {
  readonly database: string;
}

/** Lists recent queries that were slow or had no index, with the rule that adds the index. */
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
                t('queries.rejected'),
                t('queries.slowest'),
                t('queries.children'),
                t('queries.latest'),
                t('queries.fix'),
              ]}
              rows={queries.map((one) => ({
                key: `${one.location} ${one.orderBy} ${one.isIndexed}`,
                cells: [
                  <UntrustedText key="location" text={one.location} isCode />,
                  <UntrustedText key="order" text={one.orderBy} isCode />,
                  count.format(one.count),
                  count.format(one.rejected),
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

function Fix({ database, query: { fix } }: { readonly database: string; readonly query: ListedQuery }) {
  const { t } = useTranslation('activity');
  const project = useProjectId();
  if (fix === null) return t('queries.indexed');
  return (
    <>
      <UntrustedText text={fix} isCode />
      <CopyButton text={fix} label={`${t('queries.copyFix')}: ${fix}`} />
      <Link component={RouterLink} to={rulesAddress(project, database)}>
        {t('queries.openRules')}
      </Link>
    </>
  );
}
