import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import {
  type Account,
  type AccountFilter,
  type AccountScope,
  findAccountsByStart,
  searchAccounts,
} from '../../api/accounts.ts';
import type { Api } from '../../api/client.ts';
import { type Loadable, loadable } from '../../api/query-state.ts';
import { useApi, useRights } from '../../session/session.ts';
import { EmptyState, Failure, Loaded } from '../../ui/states.tsx';
import { AccountGrid } from './account-grid.tsx';
import { ListStatus } from './account-list.tsx';
import { type ChosenFilter, filterOf } from './filter.ts';
import type { ListView } from './list-toolbar.tsx';
import { useAccountCount, useAccountScope } from './use-accounts.ts';

/** State and results of a search through all accounts. */
interface SearchProgress {
  readonly state:
    | { readonly kind: 'none' }
    | { readonly kind: 'running' }
    | { readonly kind: 'done'; readonly isComplete: boolean }
    | { readonly kind: 'stopped' }
    | { readonly kind: 'failed'; readonly error: unknown };
  readonly accounts: readonly Account[];
  /** Number of accounts that the search has examined so far. */
  readonly scanned: number;
}

export interface AccountSearch extends SearchProgress {
  /** Stops the search and keeps its results. */
  stop(): void;
  /** Starts the search again. */
  restart(): void;
}

/** Maximum number of results. When a search has found this many accounts, it ends, and the member has to refine the text. */
const MAX_FOUND = 500;

/** Minimum interval in ms between updates of the view, because results can arrive faster than they can be drawn. */
const SHOW_MS = 100;

const NONE: SearchProgress = { state: { kind: 'none' }, accounts: [], scanned: 0 };
const STARTED: SearchProgress = { ...NONE, state: { kind: 'running' } };

/**
 * Searches all accounts for a text while `isWanted` is true and the view is mounted. The search restarts when `accountsAtMs`
 * changes. That is the time of the latest response from the server's indexes.
 */
function useAccountSearch(
  text: string,
  filter: AccountFilter,
  accountsAtMs: number,
  isWanted: boolean,
): AccountSearch {
  const api = useApi();
  const scope = useAccountScope();
  const [progress, setProgress] = useState(NONE);
  const [attempt, setAttempt] = useState(0);
  const [abort, setAbort] = useState<AbortController>();
  const request = useMemo(
    () => (isWanted ? { scope, text, filter, accountsAtMs, attempt } : undefined),
    [scope, text, filter, accountsAtMs, attempt, isWanted],
  );
  useEffect(() => {
    setProgress(request === undefined ? NONE : STARTED);
    if (request === undefined) return undefined;
    const running = new AbortController();
    let isShown = true;
    setAbort(running);
    runSearch(api, request, running.signal, (next) => isShown && setProgress(next));
    return () => {
      isShown = false;
      running.abort();
    };
  }, [api, request]);
  return { ...progress, stop: () => abort?.abort(), restart: () => setAttempt((before) => before + 1) };
}

interface SearchRequest {
  readonly scope: AccountScope;
  readonly text: string;
  readonly filter: AccountFilter;
}

function runSearch(
  api: Api,
  { scope, text, filter }: SearchRequest,
  signal: AbortSignal,
  show: (next: SearchProgress | ((before: SearchProgress) => SearchProgress)) => void,
): void {
  async function run(): Promise<void> {
    const accounts: Account[] = [];
    let shownAtMs = 0;
    for await (const line of searchAccounts(api, scope, text, MAX_FOUND, filter, signal)) {
      if (line.kind === 'account') accounts.push(line.account);
      if (line.kind === 'account' || (line.kind === 'progress' && Date.now() - shownAtMs < SHOW_MS)) continue;
      shownAtMs = Date.now();
      const state: SearchProgress['state'] =
        line.kind === 'done' ? { kind: 'done', isComplete: line.isComplete } : { kind: 'running' };
      show({ state, accounts: [...accounts], scanned: line.looked });
    }
  }
  run().catch((error: unknown) => {
    const state: SearchProgress['state'] = signal.aborted ? { kind: 'stopped' } : { kind: 'failed', error };
    show((before) => ({ ...before, state }));
  });
}

/** Shows the button that starts, stops or repeats the search through all accounts. */
function SearchActions({ search: { state, stop, restart } }: { readonly search: AccountSearch }) {
  const { t, i18n } = useTranslation('accounts');
  const [, setParameters] = useSearchParams();
  const total = useAccountCount();
  switch (state.kind) {
    case 'running':
      return (
        <Button variant="outlined" onClick={stop} sx={{ alignSelf: 'flex-start' }}>
          {t('search.stop')}
        </Button>
      );
    case 'none':
      return (
        <Button
          variant="outlined"
          onClick={() =>
            setParameters((before) => new URLSearchParams([...before, ['in', 'all']]), { replace: true })
          }
          sx={{ alignSelf: 'flex-start' }}
        >
          {total === undefined
            ? t('search.everywhere')
            : t('search.everywhereIn', { count: total, number: total.toLocaleString(i18n.language) })}
        </Button>
      );
    case 'stopped':
      return (
        <Button variant="outlined" onClick={restart} sx={{ alignSelf: 'flex-start' }}>
          {t('search.again')}
        </Button>
      );
    default:
      return null;
  }
}

/** Maximum number of accounts that the indexes return for one text. */
const MAX_AT_ONCE = 100;

interface FoundAccounts {
  /** Results from the indexes, followed by those that only the search through all accounts found. */
  readonly accounts: readonly Account[];
  /** Whether the accounts are those of the previous text, because the response for the current text has not arrived. */
  readonly isStale: boolean;
}

/**
 * Finds the accounts with an indexed field that begins with a text. If `isSearching` is true, also searches all accounts for
 * the text after the indexes have responded.
 */
function useFoundAccounts(
  text: string,
  chosen: ChosenFilter,
  isSearching: boolean,
): { readonly found: Loadable<FoundAccounts>; readonly search: AccountSearch } {
  const api = useApi();
  const scope = useAccountScope();
  const key = JSON.stringify(chosen);
  const filter = useMemo(() => filterOf(JSON.parse(key), Date.now()), [key]);
  const query = useQuery({
    queryKey: ['accounts', scope.project, scope.tenant, 'beginning', text, key],
    queryFn: ({ signal }) => findAccountsByStart(api, scope, text, MAX_AT_ONCE, signal, filter),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    // After a change of accounts, `useAccountActions` repeats this request. The new `dataUpdatedAt` restarts the search.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { data, dataUpdatedAt, isPlaceholderData: isStale, error, refetch } = query;
  const isReady = data !== undefined && !isStale;
  const search = useAccountSearch(text, filter, dataUpdatedAt, isSearching && isReady);
  const accounts = useMemo(
    () => [
      ...new Map([...(data ?? []), ...search.accounts].map((account) => [account.localId, account])).values(),
    ],
    [data, search.accounts],
  );
  return { found: loadable(data && { accounts, isStale }, error, () => void refetch()), search };
}

/** Up to this number of accounts, the search starts automatically, because it takes less than a second. */
const AUTOMATIC_SEARCH_MAX = 20_000;

/** Shows the accounts found for a text: first those with a field that begins with it, then those that contain it elsewhere. */
export function FoundList({ view: { text, isAnywhere, filter } }: { readonly view: ListView }) {
  const { t, i18n } = useTranslation('accounts');
  const { mayChange } = useRights();
  const total = useAccountCount();
  const { found, search } = useFoundAccounts(
    text,
    filter,
    isAnywhere || (total !== undefined && total <= AUTOMATIC_SEARCH_MAX),
  );
  const { state, scanned } = search;
  const isRunning = state.kind === 'running';
  const print = (count: number): string => new Intl.NumberFormat(i18n.language).format(count);
  return (
    <Loaded of={found}>
      {({ accounts, isStale }) => (
        <>
          {isRunning && (
            <LinearProgress
              aria-label={t('search.running')}
              {...(total === undefined || total === 0
                ? {}
                : { variant: 'determinate' as const, value: Math.min(100, (100 * scanned) / total) })}
            />
          )}
          {accounts.length > 0 && (
            <AccountGrid key={text} accounts={accounts} canSelect={mayChange} more={null} />
          )}
          {state.kind === 'failed' && <Failure error={state.error} retry={search.restart} />}
          {accounts.length === 0 && !isStale && !isRunning && (
            <EmptyState title={t('none.found')}>
              {t(state.kind === 'done' ? 'none.foundHint' : 'none.beginsHint')}
            </EmptyState>
          )}
          <ListStatus isFetching={isStale || isRunning}>
            {t('status.found', { count: accounts.length })}
            {state.kind !== 'none' && ` · ${t('status.looked', { count: scanned, number: print(scanned) })}`}
            {state.kind === 'stopped' && ` · ${t('search.stopped')}`}
            {state.kind === 'done' &&
              !state.isComplete &&
              ` · ${t('search.cut', { number: print(MAX_FOUND) })}`}
          </ListStatus>
          <SearchActions search={search} />
        </>
      )}
    </Loaded>
  );
}
