import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Account, type AccountOrder, listAccounts } from '../../api/accounts.ts';
import { type Loadable, loadable } from '../../api/query-state.ts';
import { useApi, useRights } from '../../session/session.ts';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { AccountGrid } from './account-grid.tsx';
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

/** Maximum number of accounts that scrolling loads. Users find the others by searching. */
const MAX_LOADED = 20_000;

export interface LoadedAccounts {
  readonly accounts: readonly Account[];
  readonly isFetching: boolean;
  /** Fetches the next page; `null` at the end, and once `MAX_LOADED` accounts are loaded. */
  readonly more: (() => void) | null;
  /** Whether `MAX_LOADED` accounts are loaded, and more exist. */
  readonly isCut: boolean;
}

/** Loads the accounts of the project page by page, in the given order. */
function useAccountList(order: AccountOrder): Loadable<LoadedAccounts> {
  const api = useApi();
  const scope = useAccountScope();
  const query = useInfiniteQuery({
    queryKey: ['accounts', scope.project, scope.tenant, 'list', order],
    queryFn: ({ pageParam: after, signal }) =>
      listAccounts(api, scope, { by: order, after, limit: PAGE_ACCOUNTS }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = query;
  const pages = data?.pages;
  const accounts = useMemo(() => (pages ?? []).flatMap((page) => page.accounts), [pages]);
  const isFull = accounts.length >= MAX_LOADED;
  return loadable(
    pages && {
      accounts,
      isFetching,
      more: hasNextPage && !isFull ? () => void (isFetching || fetchNextPage()) : null,
      isCut: hasNextPage && isFull,
    },
    error,
    () => void refetch(),
  );
}

/** Shows the accounts in the given order, and fetches more while the user scrolls. */
export function LoadedList({ order }: { readonly order: AccountOrder }) {
  const { t, i18n } = useTranslation('accounts');
  const { mayChange } = useRights();
  const list = useAccountList(order);
  return (
    <Loaded of={list}>
      {({ accounts, isFetching, more, isCut }) => (
        <>
          {accounts.length === 0 ? (
            <EmptyState title={t('none.title')}>{t('none.hint')}</EmptyState>
          ) : (
            // The key makes a list with another order start at its first row.
            <AccountGrid key={order} accounts={accounts} canSelect={mayChange} more={more} />
          )}
          <ListStatus isFetching={isFetching}>
            {t('status.shown', { count: accounts.length })}
            {isCut && ` · ${t('status.cut', { number: MAX_LOADED.toLocaleString(i18n.language) })}`}
          </ListStatus>
        </>
      )}
    </Loaded>
  );
}
