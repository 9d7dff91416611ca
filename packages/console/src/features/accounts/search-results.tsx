import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { type Account, type AccountFilter, type AccountScope, searchAccounts } from '../../api/accounts.ts';
import type { Api } from '../../api/client.ts';
import type { Loadable } from '../../api/query-state.ts';
import { useApi, useRights } from '../../session/session.ts';
import { EmptyState, Failure, Loaded } from '../../ui/states.tsx';
import { AccountGrid } from './account-grid.tsx';
import { ListStatus } from './account-list.tsx';
import { type LoadedAccounts, useAccountPages } from './account-pages.ts';
import { type ChosenFilter, filterOf, isFiltered } from './filter.ts';
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

/**
 * Loads the accounts with an indexed field that begins with a text, page by page. If `isSearching` is true, also searches all accounts for
 * the text after the indexes have responded, and returns those results after the others.
 */
function useFoundAccounts(
  text: string,
  chosen: ChosenFilter,
  isSearching: boolean,
): { readonly found: Loadable<LoadedAccounts>; readonly search: AccountSearch } {
  const key = JSON.stringify(chosen);
  const filter = useMemo(() => filterOf(JSON.parse(key), Date.now()), [key]);
  const pages = useAccountPages({ by: 'any', prefix: text }, chosen);
  const loaded = pages.kind === 'ready' ? pages.data : undefined;
  const search = useAccountSearch(
    text,
    filter,
    loaded?.loadedAtMs ?? 0,
    isSearching && loaded !== undefined && !loaded.isStale,
  );
  const accounts = useMemo(
    () => [
      ...new Map(
        [...(loaded?.accounts ?? []), ...search.accounts].map((account) => [account.localId, account]),
      ).values(),
    ],
    [loaded?.accounts, search.accounts],
  );
  return {
    found: pages.kind === 'ready' ? { kind: 'ready', data: { ...pages.data, accounts } } : pages,
    search,
  };
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
  /** Whether the search through all accounts has found every match, so that the indexes have no further ones. */
  const hasAll = state.kind === 'done' && state.isComplete;
  const print = (count: number): string => new Intl.NumberFormat(i18n.language).format(count);
  return (
    <Loaded of={found}>
      {({ accounts, isStale, isFetching, more, examined, searchOn }) => (
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
            <AccountGrid key={text} accounts={accounts} canSelect={mayChange} more={hasAll ? null : more} />
          )}
          {state.kind === 'failed' && <Failure error={state.error} retry={search.restart} />}
          {accounts.length === 0 && !isFetching && !isRunning && (hasAll || more === null) && (
            <EmptyState title={t('none.found')}>
              {t(state.kind === 'done' ? 'none.foundHint' : 'none.beginsHint')}
            </EmptyState>
          )}
          <ListStatus isFetching={isStale || isFetching || isRunning}>
            {t(hasAll || more === null ? 'status.found' : 'status.shown', { count: accounts.length })}
            {isFiltered(filter) &&
              state.kind === 'none' &&
              ` · ${t('filter.examined', { number: examined.toLocaleString(i18n.language) })}`}
            {state.kind !== 'none' && ` · ${t('status.looked', { count: scanned, number: print(scanned) })}`}
            {state.kind === 'stopped' && ` · ${t('search.stopped')}`}
            {state.kind === 'done' &&
              !state.isComplete &&
              ` · ${t('search.cut', { number: print(MAX_FOUND) })}`}
          </ListStatus>
          {searchOn !== null && !hasAll && (
            <Button variant="outlined" onClick={searchOn} sx={{ alignSelf: 'flex-start' }}>
              {t('filter.more')}
            </Button>
          )}
          <SearchActions search={search} />
        </>
      )}
    </Loaded>
  );
}
