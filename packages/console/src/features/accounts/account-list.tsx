import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Account, type AccountOrder, listAccounts } from '../../api/accounts.ts';
import { type Loadable, loadable } from '../../api/query-state.ts';
import { useApi, useRights } from '../../session/session.ts';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { AccountGrid } from './account-grid.tsx';
import { type ChosenFilter, filterOf, isFiltered } from './filter.ts';
import { useAccountCount, useAccountScope } from './use-accounts.ts';

interface ListStatusProps {
  readonly isFetching: boolean;
  /** Describes the content of the list. */
  readonly children: ReactNode;
}

/** Announces the content of the list, the total number of accounts, and whether a request is running. */
export function ListStatus({ isFetching, children }: ListStatusProps) {
  const { t, i18n } = useTranslation('accounts');
  const total = useAccountCount();
  return (
    <Box
      role="status"
      // Screen readers announce the result only, not each intermediate state.
      aria-busy={isFetching}
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5, minHeight: 32 }}
    >
      {isFetching && <CircularProgress size={16} aria-label={t('loading', { ns: 'shell' })} />}
      <Typography variant="body2" color="textSecondary">
        {children}
        {total !== undefined &&
          ` · ${t('status.total', { count: total, number: total.toLocaleString(i18n.language) })}`}
      </Typography>
    </Box>
  );
}

const PAGE_ACCOUNTS = 100;

/** Number of accounts that are compared with a filter before the user decides whether to go on. */
const EXAMINED_AT_ONCE = 50_000;

/** Maximum number of accounts that scrolling loads. Users find the others by searching. */
const MAX_LOADED = 20_000;

export interface LoadedAccounts {
  readonly accounts: readonly Account[];
  readonly isFetching: boolean;
  /** Number of accounts that were compared with the filter. */
  readonly examined: number;
  /** Compares more accounts with the filter; `null` if that is not needed or possible. */
  readonly searchOn: (() => void) | null;
  /** Fetches the next page; `null` at the end, and once `MAX_LOADED` accounts are loaded. */
  readonly more: (() => void) | null;
  /** Whether `MAX_LOADED` accounts are loaded, and more exist. */
  readonly isCut: boolean;
}

/** Loads the accounts of the project that match a filter, page by page, in the given order. */
function useAccountList(order: AccountOrder, chosen: ChosenFilter): Loadable<LoadedAccounts> {
  const api = useApi();
  const scope = useAccountScope();
  const [rounds, setRounds] = useState(0);
  const query = useInfiniteQuery({
    queryKey: ['accounts', scope.project, scope.tenant, 'list', order, chosen],
    queryFn: ({ pageParam: after, signal }) => {
      const filter = filterOf(chosen, Date.now());
      return listAccounts(api, scope, { ...filter, by: order, after, limit: PAGE_ACCOUNTS }, signal);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = query;
  const pages = data?.pages;
  const accounts = useMemo(() => (pages ?? []).flatMap((page) => page.accounts), [pages]);
  const examined = (pages ?? []).reduce((sum, page) => sum + (page.examined ?? 0), 0);
  const isFull = accounts.length >= MAX_LOADED;
  // A page of a filtered list can have few accounts. The user decides whether the search goes on after many.
  const isSparse = isFiltered(chosen) && accounts.length < PAGE_ACCOUNTS;
  const goesOn =
    isSparse && hasNextPage && !isFetching && error === null && examined < EXAMINED_AT_ONCE * (rounds + 1);
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  return loadable(
    pages && {
      accounts,
      isFetching,
      examined,
      searchOn:
        isSparse && hasNextPage && !isFetching && !goesOn ? () => setRounds((before) => before + 1) : null,
      more: hasNextPage && !isFull ? () => void (isFetching || fetchNextPage()) : null,
      isCut: hasNextPage && isFull,
    },
    error,
    () => void refetch(),
  );
}

interface LoadedListProps {
  readonly order: AccountOrder;
  readonly chosen: ChosenFilter;
}

/** Shows the accounts that match a filter in the given order, and fetches more while the user scrolls. */
export function LoadedList({ order, chosen }: LoadedListProps) {
  const { t, i18n } = useTranslation('accounts');
  const { mayChange } = useRights();
  const list = useAccountList(order, chosen);
  const isFilterSet = isFiltered(chosen);
  return (
    <Loaded of={list}>
      {({ accounts, isFetching, more, isCut, examined, searchOn }) => (
        <>
          {accounts.length === 0 ? (
            isFilterSet ? (
              <EmptyState title={t(more === null ? 'filter.none' : 'filter.noneYet')}>
                {t('filter.noneHint')}
              </EmptyState>
            ) : (
              <EmptyState title={t('none.title')}>{t('none.hint')}</EmptyState>
            )
          ) : (
            // The key makes a list with another order start at its first row.
            <AccountGrid
              key={`${order} ${JSON.stringify(chosen)}`}
              accounts={accounts}
              canSelect={mayChange}
              more={more}
            />
          )}
          <ListStatus isFetching={isFetching}>
            {t('status.shown', { count: accounts.length })}
            {isFilterSet && ` · ${t('filter.examined', { number: examined.toLocaleString(i18n.language) })}`}
            {isCut && ` · ${t('status.cut', { number: MAX_LOADED.toLocaleString(i18n.language) })}`}
          </ListStatus>
          {searchOn !== null && (
            <Button variant="outlined" onClick={searchOn} sx={{ alignSelf: 'flex-start' }}>
              {t('filter.more')}
            </Button>
          )}
        </>
      )}
    </Loaded>
  );
}
