import SearchIcon from '@mui/icons-material/Search';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import InputAdornment from '@mui/material/InputAdornment';
import LinearProgress from '@mui/material/LinearProgress';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type RefObject, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NodeSummary } from '../../../api/data.ts';
import {
  type SearchLine,
  type SearchPart,
  type SearchRequest,
  searchNodes,
} from '../../../api/data-nodes.ts';
import { useApi } from '../../../session/session.ts';
import { useTypedText } from '../../../ui/interaction.ts';
import { EmptyState, Failure } from '../../../ui/states.tsx';
import { useImpersonation } from '../impersonation/model.ts';
import type { DataLocation } from '../model/location.ts';
import { NodeList } from './node-list.tsx';

export type Hit = Extract<SearchLine, { kind: 'hit' }>;

/** State and results of a search. */
interface SearchProgress {
  readonly hits: readonly Hit[];
  /** Number of entries scanned. */
  readonly entries: number;
  readonly state:
    | { readonly kind: 'running' }
    | { readonly kind: 'done'; readonly isComplete: boolean }
    | { readonly kind: 'canceled' }
    | { readonly kind: 'failed'; readonly error: Error };
}

export interface Search extends SearchProgress {
  /** Stops the search and keeps its results. */
  cancel(): void;
  /** Starts the search again. */
  restart(): void;
}

/** Minimum interval between updates of the view in ms, because hits can arrive faster than they can be drawn. */
const SHOW_MS = 100;

/** Searches while the view is mounted. The search restarts when `request` is another object, so the caller must memoize it. */
function useSearch(database: string, request: SearchRequest): Search {
  const api = useApi();
  const [shown, setShown] = useState<SearchProgress>(NOTHING_YET);
  const [abort, setAbort] = useState<AbortController | null>(null);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt repeats the same request.
  useEffect(() => {
    const running = new AbortController();
    // A search that another one has replaced no longer updates the view.
    let isShown = true;
    setAbort(running);
    setShown(NOTHING_YET);
    async function run(): Promise<void> {
      const hits: Hit[] = [];
      let entries = 0;
      let shownAtMs = 0;
      for await (const line of searchNodes(api, database, request, running.signal)) {
        if (line.kind === 'hit') hits.push(line);
        else entries = line.entries;
        const state: SearchProgress['state'] =
          line.kind === 'done' ? { kind: 'done', isComplete: line.isComplete } : { kind: 'running' };
        if (line.kind !== 'done' && Date.now() - shownAtMs < SHOW_MS) continue;
        shownAtMs = Date.now();
        setShown({ hits: [...hits], entries, state });
      }
    }
    run().catch((cause: unknown) => {
      if (!isShown) return;
      const state: SearchProgress['state'] = running.signal.aborted
        ? { kind: 'canceled' }
        : { kind: 'failed', error: cause instanceof Error ? cause : new Error(String(cause)) };
      setShown((before) => ({ ...before, state }));
    });
    return () => {
      isShown = false;
      running.abort();
    };
  }, [api, database, request, attempt]);
  return { ...shown, cancel: () => abort?.abort(), restart: () => setAttempt((before) => before + 1) };
}

const NOTHING_YET: SearchProgress = { hits: [], entries: 0, state: { kind: 'running' } };

/** After this number of hits, the search ends, and the user can refine the text. */
const MAX_HITS = 500;

const PARTS: readonly SearchPart[] = ['both', 'keys', 'values'];

/** Shows the progress and the hits of a search at and below a node. */
export function SearchPanel({ location, text }: { readonly location: DataLocation; readonly text: string }) {
  const { t, i18n } = useTranslation('data');
  const { database, path, parameters, set } = location;
  const part = PARTS.find((one) => one === parameters.get('in')) ?? 'both';
  const isCaseSensitive = parameters.get('case') === 'true';
  const request = useMemo(
    (): SearchRequest => ({ path, text, part, isCaseSensitive, limit: MAX_HITS }),
    [path, text, part, isCaseSensitive],
  );
  const isImpersonating = useImpersonation().who.kind === 'other';
  const { hits, entries, state, cancel, restart } = useSearch(database, request);
  const number = (value: number): string => value.toLocaleString(i18n.language);
  const counts = `${t('search.hits', { count: hits.length, number: number(hits.length) })} · ${t('search.entries', { count: entries, number: number(entries) })}`;
  return (
    <>
      {isImpersonating && <Alert severity="info">{t('search.judged')}</Alert>}
      {state.kind === 'running' && <LinearProgress aria-label={t('search.running')} />}
      {state.kind === 'failed' && <Failure error={state.error} retry={restart} />}
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, flexWrap: 'wrap' }}>
        <Typography role="status" variant="body2" color="textSecondary" sx={{ flex: 1 }}>
          {counts}
          {state.kind === 'canceled' && ` · ${t('search.cancelled')}`}
          {state.kind === 'done' && !state.isComplete && ` · ${t('search.cut')}`}
        </Typography>
        {state.kind === 'running' && <Button onClick={cancel}>{t('search.cancel')}</Button>}
        {state.kind === 'canceled' && <Button onClick={restart}>{t('search.again')}</Button>}
        <Button onClick={() => set({ q: null, in: null, case: null })}>{t('search.close')}</Button>
      </Box>
      {state.kind === 'done' && hits.length === 0 ? (
        <EmptyState title={t('search.none', { text })}>{t('search.noneHint')}</EmptyState>
      ) : (
        <NodeList
          label={t('search.results')}
          nodes={hits.map((hit) => ({ path: hit.path, title: hit.path, preview: previewOf(hit.node) }))}
          addressOf={location.plainAddressOf}
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

interface SearchFieldProps {
  readonly location: DataLocation;
  readonly field: RefObject<HTMLInputElement | null>;
}

/** The field for a search at and below the node. */
export function SearchField({ location, field }: SearchFieldProps) {
  const { t } = useTranslation('data');
  const { parameters, set } = location;
  const searched = parameters.get('q') ?? '';
  const [text, setText] = useTypedText(searched);
  return (
    <Box
      component="form"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        set({ q: text === '' ? null : text });
      }}
      // On phones, the field shares its line with the buttons until a search is active.
      sx={{
        display: 'flex',
        gap: 1,
        flex: { xs: searched === '' ? '1 1 140px' : '1 1 100%', sm: '0 1 auto' },
      }}
    >
      <TextField
        type="search"
        label={t('search.label')}
        value={text}
        inputRef={field}
        onChange={({ target }) => setText(target.value)}
        slotProps={{
          htmlInput: { dir: 'auto', maxLength: 1_024, spellCheck: false },
          input: {
            startAdornment: (
              <InputAdornment position="start">
                <SearchIcon fontSize="small" />
              </InputAdornment>
            ),
          },
        }}
        sx={{ width: { xs: '100%', sm: 240 } }}
      />
      {searched !== '' && (
        <TextField
          select
          label={t('search.in')}
          value={parameters.get('in') ?? 'both'}
          onChange={({ target }) => set({ in: target.value === 'both' ? null : target.value })}
          sx={{ minWidth: 130 }}
        >
          <MenuItem value="both">{t('search.parts.both')}</MenuItem>
          <MenuItem value="keys">{t('search.parts.keys')}</MenuItem>
          <MenuItem value="values">{t('search.parts.values')}</MenuItem>
        </TextField>
      )}
    </Box>
  );
}
