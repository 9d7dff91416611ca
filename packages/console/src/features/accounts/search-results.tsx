import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { type Account, findAccountsByStart, searchAccounts } from '../../api/accounts.ts';
import type { Api } from '../../api/client.ts';
import { type Loadable, loadable } from '../../api/query-state.ts';
import { useApi, useProjectId, useRights } from '../../session/session.ts';
import { EmptyState, Failure, Loaded } from '../../ui/states.tsx';
import { AccountGrid } from './account-grid.tsx';
import { ListStatus } from './account-list.tsx';
import type { ListView } from './list-toolbar.tsx';
import { useAccountCount } from './use-accounts.ts';

/** How far a search through all accounts has come. */
interface SearchProgress {
  readonly state:
    | { readonly kind: 'none' }
    | { readonly kind: 'running' }
    | { readonly kind: 'done'; readonly isComplete: boolean }
    | { readonly kind: 'stopped' }
    | { readonly kind: 'failed'; readonly error: unknown };
  readonly accounts: readonly Account[];
  /** Accounts that were looked at. */
  readonly looked: number;
}

export interface AccountSearch extends SearchProgress {
  /** Ends it; what was found stays. */
  stop(): void;
  /** Begins it anew. */
  restart(): void;
}

/** Accounts after which a search ends: whoever has so many writes more of what they look for. */
const MAX_FOUND = 500;

/** How often what was found is shown, in milliseconds: it can come faster than it is drawn. */
const SHOW_MS = 100;

const NONE: SearchProgress = { state: { kind: 'none' }, accounts: [], looked: 0 };
const BEGUN: SearchProgress = { ...NONE, state: { kind: 'running' } };

/**
 * Looks for a text through all accounts as long as that is wanted and the view is on the screen, and anew when the accounts are
 * of another time.
 */
function useAccountSearch(text: string, accountsAtMs: number, isWanted: boolean): AccountSearch {
  const api = useApi();
  const project = useProjectId();
  const [progress, setProgress] = useState(NONE);
  const [attempt, setAttempt] = useState(0);
  const [abort, setAbort] = useState<AbortController>();
  const request = useMemo(
    () => (isWanted ? { project, text, accountsAtMs, attempt } : undefined),
    [project, text, accountsAtMs, attempt, isWanted],
  );
  useEffect(() => {
    setProgress(request === undefined ? NONE : BEGUN);
    if (request === undefined) return undefined;
    const running = new AbortController();
    let isShown = true;
    setAbort(running);
    follow(api, request, running.signal, (next) => isShown && setProgress(next));
    return () => {
      isShown = false;
      running.abort();
    };
  }, [api, request]);
  return { ...progress, stop: () => abort?.abort(), restart: () => setAttempt((before) => before + 1) };
}

interface SearchRequest {
  readonly project: string;
  readonly text: string;
}

function follow(
  api: Api,
  { project, text }: SearchRequest,
  signal: AbortSignal,
  show: (next: SearchProgress | ((before: SearchProgress) => SearchProgress)) => void,
): void {
  async function look(): Promise<void> {
    const accounts: Account[] = [];
    let shownAtMs = 0;
    for await (const line of searchAccounts(api, project, text, MAX_FOUND, signal)) {
      if (line.kind === 'account') accounts.push(line.account);
      if (line.kind === 'account' || (line.kind === 'progress' && Date.now() - shownAtMs < SHOW_MS)) continue;
      shownAtMs = Date.now();
      const state: SearchProgress['state'] =
        line.kind === 'done' ? { kind: 'done', isComplete: line.isComplete } : { kind: 'running' };
      show({ state, accounts: [...accounts], looked: line.looked });
    }
  }
  look().catch((error: unknown) => {
    const state: SearchProgress['state'] = signal.aborted ? { kind: 'stopped' } : { kind: 'failed', error };
    show((before) => ({ ...before, state }));
  });
}

/** Goes on from what begins with the text to what has it anywhere, and stops that. */
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

/** Most accounts that are found by what begins with the text. */
const MAX_AT_ONCE = 100;

interface FoundAccounts {
  /** Those that indexes tell at once, then those that the search has found. */
  readonly accounts: readonly Account[];
  /** Have the indexes not answered for this text? */
  readonly isStale: boolean;
}

/** What is found of a text: at once by indexes, and by a search through all accounts if that is wanted. */
function useFoundAccounts(
  text: string,
  isSearching: boolean,
): { readonly found: Loadable<FoundAccounts>; readonly search: AccountSearch } {
  const api = useApi();
  const project = useProjectId();
  const query = useQuery({
    queryKey: ['accounts', project, 'beginning', text],
    queryFn: ({ signal }) => findAccountsByStart(api, project, text, MAX_AT_ONCE, signal),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    // Asked again when accounts have changed, and then what all were looked through for is looked for again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { data, dataUpdatedAt, isPlaceholderData: isStale, error, refetch } = query;
  const isReady = data !== undefined && !isStale;
  const search = useAccountSearch(text, dataUpdatedAt, isSearching && isReady);
  const accounts = useMemo(
    () => [
      ...new Map([...(data ?? []), ...search.accounts].map((account) => [account.localId, account])).values(),
    ],
    [data, search.accounts],
  );
  return { found: loadable(data && { accounts, isStale }, error, () => void refetch()), search };
}

/** So many accounts are looked through unasked: it takes a part of a second. */
const UNASKED = 20_000;

/** What is found of a text: at once what begins with it, and then what has it anywhere. */
export function FoundList({ view: { text, isAnywhere } }: { readonly view: ListView }) {
  const { t, i18n } = useTranslation('accounts');
  const { mayChange } = useRights();
  const total = useAccountCount();
  const { found, search } = useFoundAccounts(text, isAnywhere || (total !== undefined && total <= UNASKED));
  const { state, looked: scanned } = search;
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
