import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../elements/empty-state.tsx';
import { Failure } from '../../../elements/failure.tsx';
import type { NodeSummary } from '../../../server/data.ts';
import type { SearchPart, SearchRequest } from '../../../server/data-search.ts';
import { useActing } from '../act-as/acting.ts';
import type { DataPlace } from '../model/use-data-place.ts';
import { NodeList } from '../views/node-list.tsx';
import { useSearch } from './use-search.ts';

/** Hits after which a search ends: whoever has so many looks for something more exact. */
const MAX_HITS = 500;

const PARTS: readonly SearchPart[] = ['both', 'keys', 'values'];

/** What a search at and below a node finds. */
export function SearchPanel({ place, text }: { readonly place: DataPlace; readonly text: string }) {
  const { t, i18n } = useTranslation('data');
  const { database, path, parameters, set } = place;
  const part = PARTS.find((one) => one === parameters.get('in')) ?? 'both';
  const isCaseSensitive = parameters.get('case') === 'true';
  const request = useMemo(
    (): SearchRequest => ({ path, text, part, isCaseSensitive, limit: MAX_HITS }),
    [path, text, part, isCaseSensitive],
  );
  const isActing = useActing().who.kind === 'other';
  const { hits, entries, state, cancel, restart } = useSearch(database, request);
  const number = (value: number): string => value.toLocaleString(i18n.language);
  const counts = `${t('search.hits', { count: hits.length, number: number(hits.length) })} · ${t('search.entries', { count: entries, number: number(entries) })}`;
  return (
    <>
      {isActing && <Alert severity="info">{t('search.judged')}</Alert>}
      {state.kind === 'running' && <LinearProgress aria-label={t('search.running')} />}
      {state.kind === 'failed' && <Failure error={state.error} retry={restart} />}
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, flexWrap: 'wrap' }}>
        <Typography role="status" variant="body2" color="textSecondary" sx={{ flex: 1 }}>
          {counts}
          {state.kind === 'cancelled' && ` · ${t('search.cancelled')}`}
          {state.kind === 'done' && !state.isComplete && ` · ${t('search.cut')}`}
        </Typography>
        {state.kind === 'running' && <Button onClick={cancel}>{t('search.cancel')}</Button>}
        {state.kind === 'cancelled' && <Button onClick={restart}>{t('search.again')}</Button>}
        <Button onClick={() => set({ q: null, in: null, case: null })}>{t('search.close')}</Button>
      </Box>
      {state.kind === 'done' && hits.length === 0 ? (
        <EmptyState title={t('search.none', { text })}>{t('search.noneHint')}</EmptyState>
      ) : (
        <NodeList
          label={t('search.results')}
          nodes={hits.map((hit) => ({ path: hit.path, title: hit.path, preview: previewOf(hit.node) }))}
          addressOf={place.plainAddressOf}
        />
      )}
    </>
  );
}

function previewOf(node: NodeSummary): string {
  return node.kind === 'object'
    ? '{ }'
    : typeof node.value === 'string'
      ? JSON.stringify(node.value)
      : String(node.value);
}
