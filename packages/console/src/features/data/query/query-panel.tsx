import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../elements/empty-state.tsx';
import { Failure } from '../../../elements/failure.tsx';
import { LoadingBar } from '../../../elements/loading-bar.tsx';
import { WhyRefused } from '../act-as/why-refused.tsx';
import { CodeSamples } from '../code/code-samples.tsx';
import { joinPath } from '../model/node-path.ts';
import type { DataPlace } from '../model/use-data-place.ts';
import { NodeList } from '../views/node-list.tsx';
import { NEW_QUERY, type NodeQuery, queryParameters, readQuery } from './node-query.ts';
import { QueryForm } from './query-form.tsx';
import { useQueryRows } from './use-query-rows.ts';

/** The children of a node that a query finds. */
export function QueryPanel({ place }: { readonly place: DataPlace }) {
  const { t } = useTranslation('data');
  const { parameters, set } = place;
  const text = parameters.toString();
  const query = useMemo(() => readQuery(new URLSearchParams(text)) ?? NEW_QUERY, [text]);
  const isAsked = query.order !== 'child' || query.child !== '';
  return (
    <>
      <QueryForm
        key={text}
        query={query}
        ask={(asked) => set(queryParameters(asked))}
        close={() => set(queryParameters(null))}
      />
      {isAsked ? (
        <Found place={place} query={query} />
      ) : (
        <EmptyState title={t('query.title')}>{t('query.hint')}</EmptyState>
      )}
    </>
  );
}

interface FoundProps {
  readonly place: DataPlace;
  readonly query: NodeQuery;
}

function Found({ place, query }: FoundProps) {
  const { t, i18n } = useTranslation('data');
  const { database, path } = place;
  const rows = useQueryRows(database, path, query);
  if (rows.kind === 'loading') return <LoadingBar />;
  if (rows.kind === 'failed')
    return (
      <>
        <Failure error={rows.error} />
        <WhyRefused path={path} query={query} />
      </>
    );
  return (
    <>
      <Typography role="status" color="textSecondary" variant="body2">
        {t('query.found', {
          count: rows.rows.length,
          number: rows.rows.length.toLocaleString(i18n.language),
        })}
      </Typography>
      <NodeList
        label={t('query.results')}
        nodes={rows.rows.map(({ key, preview }) => ({ path: joinPath(path, key), title: key, preview }))}
        addressOf={place.plainAddressOf}
      />
      <CodeSamples database={database} path={path} query={query} />
    </>
  );
}
